import { Component } from 'preact';
import { getJson, sendJson } from '../../http.ts';
import { Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';

interface SwitchesState {
  ids?: string;
  faults: readonly string[];
  available: readonly string[];
  fault?: string | undefined;
}

const populations = { phone_numbers: 'their phone number', both: 'number and username', user_ids: 'only a username' };
const flowStatuses = ['PUBLISHED', 'THROTTLED', 'BLOCKED', 'DEPRECATED'];

/** How the platform shows people, what it does to Flows and conversations, and the faults that doctor finds. */
export class Switches extends Component<{ snapshot: Snapshot }, SwitchesState> {
  override state: SwitchesState = { faults: [], available: [] };

  override componentDidMount() {
    void this.#run(async () => {
      const [{ ids }, setup] = await Promise.all([
        getJson<{ ids: string }>('/simulator/population'),
        getJson<{ faults: string[]; available: string[] }>('/simulator/setup/faults'),
      ]);
      this.setState({ ids, ...setup });
    });
  }

  async #run(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      this.setState({ fault: undefined });
    } catch (error) {
      this.setState({ fault: error instanceof Error ? error.message : String(error) });
    }
  }

  #showPeople(ids: string): void {
    void this.#run(async () => this.setState(await sendJson<{ ids: string }>('PUT', '/simulator/population', { ids })));
  }

  #switchFault(name: string, isOn: boolean): void {
    const faults = isOn ? [...this.state.faults, name] : this.state.faults.filter((one) => one !== name);
    void this.#run(async () =>
      this.setState(await sendJson<SwitchesState>('PUT', '/simulator/setup/faults', { faults })),
    );
  }

  override render({ snapshot }: { snapshot: Snapshot }, { ids, faults, available, fault }: SwitchesState) {
    const published = [...snapshot.flows.values()].filter(({ status }) => flowStatuses.includes(status));
    return (
      <section class="card switches">
        <h2>Switches</h2>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <label>
          Businesses see of people
          <select value={ids} onChange={({ currentTarget }) => this.#showPeople(currentTarget.value)}>
            {Object.entries(populations).map(([value, name]) => (
              <option value={value}>{name}</option>
            ))}
          </select>
        </label>
        <h3>Published Flows</h3>
        {published.length === 0 && <Empty>A Flow can be throttled or blocked here once it is published.</Empty>}
        {published.map(({ id, name, status }) => (
          <label key={id}>
            {name}
            <select
              value={status}
              onChange={({ currentTarget: { value } }) =>
                this.#run(() => sendJson('POST', `/simulator/flows/${id}/status`, { status: value }))
              }
            >
              {flowStatuses.map((one) => (
                <option>{one}</option>
              ))}
            </select>
          </label>
        ))}
        <Standby snapshot={snapshot} set={(act) => this.#run(act)} />
        <details>
          <summary>
            Faults that doctor finds <span class="dim">({faults.length} on)</span>
          </summary>
          <fieldset class="faults">
            <legend class="visually-hidden">Faults of the set-up</legend>
            {available.map((name) => (
              <label class="choice">
                <input
                  type="checkbox"
                  checked={faults.includes(name)}
                  onChange={({ currentTarget }) => this.#switchFault(name, currentTarget.checked)}
                />
                <code>{name}</code>
              </label>
            ))}
          </fieldset>
        </details>
      </section>
    );
  }
}

interface StandbyProps {
  readonly snapshot: Snapshot;
  readonly set: (act: () => Promise<unknown>) => Promise<void>;
}

/** Who holds a conversation: this app, Meta's agent, or another app. */
function Standby({ snapshot: { conversations, inbox }, set }: StandbyProps) {
  const chats = new Map(
    [...inbox.values()].map(({ phone_number_id, contact }) => [
      `${phone_number_id}/${contact}`,
      `${phone_number_id} ${contact}`,
    ]),
  );
  return (
    <>
      <h3>Conversations</h3>
      {chats.size === 0 && <Empty>When a contact has written, another sender can take over the conversation.</Empty>}
      {[...chats].slice(-5).map(([path, key]) => (
        <label key={key}>
          {key.split(' ')[1]} is answered by
          <select
            value={conversations.get(key)?.held_by ?? ''}
            onChange={({ currentTarget: { value } }) =>
              set(() => sendJson('PUT', `/simulator/conversations/${path}`, { held_by: value || null }))
            }
          >
            <option value="">this service</option>
            <option value="ai_agent">Meta's agent</option>
            <option value="escalation">another app</option>
          </select>
        </label>
      ))}
    </>
  );
}
