import type { Behaviour, ReceivedWebhook } from '#local/console/console-values.ts';
import { sendJson } from '../../http.ts';
import { Choice } from '../../parts/choice.tsx';
import { Arrived } from './arrived.tsx';

const well: Behaviour = { responds: true, status: 200, delay_ms: 0 };

/** What the receiver can be made to do, from the best to the worst. */
const choices: readonly { readonly name: string; readonly behaviour: Behaviour }[] = [
  { name: 'respond 200', behaviour: well },
  { name: 'respond 204, which counts as a failure', behaviour: { responds: true, status: 204, delay_ms: 0 } },
  { name: 'respond 500', behaviour: { responds: true, status: 500, delay_ms: 0 } },
  { name: 'respond 200 after 3 seconds', behaviour: { responds: true, status: 200, delay_ms: 3_000 } },
  { name: 'not respond at all', behaviour: { responds: false, status: 200, delay_ms: 0 } },
];

interface ReceiverProps {
  readonly behaviour: Behaviour;
  /** What arrived that belongs to no delivery. */
  readonly strangers: readonly ReceivedWebhook[];
}

/** The built-in receiver, which can be broken on purpose. */
export function Receiver({ behaviour, strangers }: ReceiverProps) {
  const offered = choicesWith(behaviour);
  const current = offered.find((choice) => isSame(choice.behaviour, behaviour));
  const set = (name: string) => setReceiver(offered.find((choice) => choice.name === name)?.behaviour);
  return (
    <section class="card">
      <h2>Built-in receiver</h2>
      <p class="dim">It takes any webhook that points to it, and shows the exact bytes. Break it to see retries.</p>
      <Choice value={current?.name ?? ''} act={set}>
        {(shown, choose) => (
          <fieldset class="behaviours">
            <legend>It should</legend>
            {offered.map(({ name }) => (
              <label key={name} class="choice">
                <input type="radio" name="behaviour" checked={name === shown} onChange={() => choose(name)} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
      </Choice>
      {strangers.length > 0 && (
        <details>
          <summary>{strangers.length} received without a delivery</summary>
          {strangers.toReversed().map((webhook) => (
            <Arrived key={webhook.id} webhook={webhook} isOpen={false} />
          ))}
        </details>
      )}
    </section>
  );
}

/** A program may have set another behaviour than those of the page. */
function choicesWith(behaviour: Behaviour): typeof choices {
  if (choices.some((one) => isSame(one.behaviour, behaviour))) return choices;
  const { responds, status, delay_ms } = behaviour;
  const name = responds ? `respond ${status} after ${delay_ms} ms` : 'not respond at all';
  return [...choices, { name, behaviour }];
}

const setReceiver = (behaviour: Behaviour | undefined) => sendJson('PUT', '/console/receiver', behaviour);

export const repairReceiver = () => setReceiver(well);

export const isWell = (behaviour: Behaviour) => isSame(behaviour, well);

const isSame = (one: Behaviour, other: Behaviour) => JSON.stringify(one) === JSON.stringify(other);
