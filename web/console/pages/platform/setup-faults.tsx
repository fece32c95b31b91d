import { getJson, sendJson } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Badge } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';

const path = '/simulator/setup/faults';
const set = (faults: readonly string[]) => sendJson('PUT', path, { faults });

let last: Promise<unknown> = Promise.resolve();

/** One change after the other, since each sets all faults. */
function inTurn(change: () => Promise<unknown>): Promise<unknown> {
  last = last.then(change, change);
  return last;
}

/** Switches one fault. Which others are on is read first: the service can put faults right. */
const switchFault = (name: string, isOn: boolean) =>
  inTurn(async () => {
    const { faults } = await getJson<{ faults: string[] }>(path);
    return set([...faults.filter((one) => one !== name), ...(isOn ? [name] : [])]);
  });

/** What can be wrong with the set-up. Doctor finds all of it. */
export function SetupFaults({ setup: { faults: on, available } }: Pick<Snapshot, 'setup'>) {
  const groups = [...Map.groupBy(available, ({ group }) => group)];
  return (
    <section class="card setup-faults">
      <div class="row">
        <h2>Faults of the set-up</h2>
        {on.length > 0 && (
          <>
            <Badge tone="warn">{on.length} on</Badge>
            <ActionButton kind="quiet" act={() => inTurn(() => set([]))}>
              Switch all off
            </ActionButton>
          </>
        )}
      </div>
      <p class="dim">
        Switch some on, and see whether <code>./messaging doctor --local</code> names them.
      </p>
      <details>
        <summary>Show all {available.length}</summary>
        <div class="groups">
          {groups.map(([group, faults]) => (
            <fieldset key={group}>
              <legend>{group}</legend>
              {faults.map(({ name, description }) => (
                <Choice key={name} value={String(on.includes(name))} act={(isOn) => switchFault(name, isOn === 'true')}>
                  {(shown, choose) => (
                    <label class="choice" title={name}>
                      <input
                        type="checkbox"
                        checked={shown === 'true'}
                        onChange={({ currentTarget }) => choose(String(currentTarget.checked))}
                      />
                      <span>{description}</span>
                    </label>
                  )}
                </Choice>
              ))}
            </fieldset>
          ))}
        </div>
      </details>
    </section>
  );
}
