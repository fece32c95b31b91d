import { Component } from 'preact';
import { getJson, sendJson } from '../../http.ts';
import { ActionSelect } from '../../parts/action-select.tsx';
import { Badge, Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { ContactStates } from './contact-states.tsx';
import { SetupFaults } from './setup-faults.tsx';

/** How the platform treats people, Flows and conversations, and what is wrong with the set-up. */
export function Switches({ snapshot }: { snapshot: Snapshot }) {
  return (
    <>
      <section class="card">
        <h2>People and Flows</h2>
        <Population />
        <FlowStatuses snapshot={snapshot} />
      </section>
      <ContactStates snapshot={snapshot} />
      <SetupFaults />
    </>
  );
}

const populations = {
  phone_numbers: 'their phone number',
  both: 'number and username',
  user_ids: 'only a username',
};

/** What businesses see of people. */
class Population extends Component<object, { ids?: string }> {
  override state: { ids?: string } = {};

  override componentDidMount() {
    void getJson<{ ids: string }>('/simulator/population').then((population) => this.setState(population));
  }

  override render(_: object, { ids = '' }: { ids?: string }) {
    return (
      <ActionSelect
        label="Businesses see of people"
        value={ids}
        options={populations}
        act={async (chosen) =>
          this.setState(await sendJson<{ ids: string }>('PUT', '/simulator/population', { ids: chosen }))
        }
      />
    );
  }
}

const flowStatuses = { PUBLISHED: 'published', THROTTLED: 'throttled', BLOCKED: 'blocked', DEPRECATED: 'deprecated' };

/** What Meta's monitoring does to published Flows. */
function FlowStatuses({ snapshot: { flows } }: { snapshot: Snapshot }) {
  const published = [...flows.values()].filter(({ status }) => status !== 'DRAFT');
  return (
    <>
      <h3>Status of published Flows</h3>
      {published.length === 0 && (
        <Empty>
          <a href="#/flows">Publish a Flow</a>. Then you can throttle, block or deprecate it here.
        </Empty>
      )}
      {published.map(({ id, name, status }) =>
        status === 'DEPRECATED' ? (
          <p key={id}>
            {name} <Badge>deprecated for good</Badge>
          </p>
        ) : (
          <ActionSelect
            key={id}
            label={name}
            value={status}
            options={flowStatuses}
            act={(chosen) => sendJson('POST', `/simulator/flows/${id}/status`, { status: chosen })}
          />
        ),
      )}
    </>
  );
}
