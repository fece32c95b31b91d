import { ActionButton } from '../../parts/action-button.tsx';
import { createExample } from './flow-api.ts';

/** Creates a Flow to begin with, and opens it. Names are unique, so its name has the time. */
export function NewFlow({ workspace }: { workspace: string }) {
  const create = async () => {
    const id = await createExample(workspace, `Rating ${new Date().toISOString().slice(0, 19)}`);
    location.hash = `#/flows/${workspace}/${id}`;
  };
  return (
    <ActionButton kind="quiet" act={create}>
      New Flow
    </ActionButton>
  );
}
