import type { PageProps } from '../../page.ts';
import { Faults } from './faults.tsx';
import { Requests } from './requests.tsx';
import { Switches } from './switches.tsx';

/** What the service asks of the simulated platform, and how the platform behaves. */
export function Platform({ snapshot }: PageProps) {
  return (
    <div class="page platform">
      <h1>Platform</h1>
      <div class="columns">
        <Faults />
        <Switches snapshot={snapshot} />
      </div>
      <Requests requests={[...snapshot.requests.values()].toReversed()} />
    </div>
  );
}
