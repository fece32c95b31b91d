import { ensureKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { readRegistration, registerKey } from '#shared/domain/flow-keys/register-key.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Service } from '../../service.ts';
import { type Outcome, StepFailure, type Steps } from '../steps.ts';

/** Uploads the workspace's Flow key for the number, and creates the key if there is none. */
export async function uploadFlowKey(
  steps: Steps,
  { upstream, now, hint }: Pick<Service, 'upstream' | 'now' | 'hint'>,
  number: PhoneNumber,
): Promise<Outcome> {
  const {
    flowKeys,
    management: { encryption },
  } = upstream();
  const { keys } = await flowKeys.read(number.workspace);
  const registration = await readRegistration(number, keys, encryption);
  if (registration === 'current') return { state: 'already', text: "the platform has the workspace's Flow key." };
  if (registration === 'foreign') {
    throw new StepFailure(
      'The platform has the Flow key of somebody else for this number. Replacing it breaks their Flows. ' +
        `To replace it: ${hint`key register ${number.id}`}`,
    );
  }
  const create = keys.length === 0 ? "create the workspace's Flow key and " : '';
  return steps.change(`${create}upload the Flow key.`, async () => {
    await registerKey(number, await ensureKeys(number.workspace, { flowKeys, now }), encryption);
  });
}
