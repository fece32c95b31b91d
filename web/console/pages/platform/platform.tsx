import type { PageProps } from '../../page-view.ts';
import { Faults } from './faults.tsx';
import { Requests } from './requests.tsx';
import { Switches } from './switches.tsx';
import { World } from './world.tsx';

/** What the service asks of the simulated platform, and how the platform behaves. */
export function Platform({ snapshot }: PageProps) {
  const requests = [...snapshot.requests.values()];
  return (
    <div class="page platform">
      <h1>Platform</h1>
      <div class="columns">
        <Faults rules={snapshot.rules.data} />
        <Switches snapshot={snapshot} />
      </div>
      <Requests requests={requests.toReversed()} />
      <World />
    </div>
  );
}
