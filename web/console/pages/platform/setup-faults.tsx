import { Component } from 'preact';
import type { AvailableFault } from '#local/graph/core/setup-faults.ts';
import { getJson, messageOf, sendJson } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/text.tsx';

const path = '/simulator/setup/faults';

interface SetupFaultsState {
  on: readonly string[];
  available: readonly AvailableFault[];
  fault?: string | undefined;
}

/** What can be wrong with the set-up. Doctor finds all of it. */
export class SetupFaults extends Component<object, SetupFaultsState> {
  override state: SetupFaultsState = { on: [], available: [] };

  override componentDidMount() {
    void this.#run(async () => {
      const { faults, available } = await this.#read();
      this.setState({ on: faults, available });
    });
  }

  async #run(act: () => Promise<unknown>): Promise<void> {
    this.setState({ fault: await act().then(() => undefined, messageOf) });
  }

  #read() {
    return getJson<{ faults: string[]; available: AvailableFault[] }>(path);
  }

  /** The switch moves at once. What else is on is read first, because the service can put faults right. */
  async #switch(name: string, isOn: boolean): Promise<void> {
    const switched = (faults: readonly string[]) => [...faults.filter((one) => one !== name), ...(isOn ? [name] : [])];
    this.setState(({ on }) => ({ on: switched(on) }));
    await this.#set(switched((await this.#read()).faults));
  }

  async #set(faults: readonly string[]): Promise<void> {
    const response = await sendJson<{ faults: string[] }>('PUT', path, { faults });
    this.setState({ on: response.faults });
  }

  override render(_: object, { on, available, fault }: SetupFaultsState) {
    const groups = [...Map.groupBy(available, ({ group }) => group)];
    return (
      <section class="card setup-faults">
        <div class="row">
          <h2>Faults of the set-up</h2>
          <Badge tone={on.length === 0 ? 'good' : 'warn'}>{on.length === 0 ? 'none is on' : `${on.length} on`}</Badge>
          {on.length > 0 && (
            <ActionButton kind="quiet" act={() => this.#set([])}>
              Switch all off
            </ActionButton>
          )}
        </div>
        <p class="dim">
          Switch some on, and see whether <code>npm run admin -- doctor --local</code> names them.
        </p>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <details>
          <summary>Show all {available.length}</summary>
          <div class="groups">
            {groups.map(([group, faults]) => (
              <fieldset key={group}>
                <legend>{group}</legend>
                {faults.map(({ name, description }) => (
                  <label key={name} class="choice" title={name}>
                    <input
                      type="checkbox"
                      checked={on.includes(name)}
                      onChange={({ currentTarget }) => void this.#run(() => this.#switch(name, currentTarget.checked))}
                    />
                    <span>{description}</span>
                  </label>
                ))}
              </fieldset>
            ))}
          </div>
        </details>
      </section>
    );
  }
}
