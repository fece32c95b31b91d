import type { PageProps } from '../../page-view.ts';
import { ContactStates } from './contact-states.tsx';
import { Faults } from './faults.tsx';
import { Requests } from './requests.tsx';
import { SetupFaults } from './setup-faults.tsx';
import { Switches } from './switches.tsx';
import { World } from './world.tsx';

/** What the service asks of the simulated platform, and beside it how the platform behaves. */
export function Platform({ snapshot }: PageProps) {
  const requests = [...snapshot.requests.values()];
  return (
    <div class="page platform">
      <h1>Platform</h1>
      <Requests requests={requests.toReversed()} />
      <div class="controls">
        <Faults rules={snapshot.rules.data} />
        <ContactStates snapshot={snapshot} />
        <Switches snapshot={snapshot} />
        <SetupFaults setup={snapshot.setup} />
        <World />
      </div>
    </div>
  );
}
