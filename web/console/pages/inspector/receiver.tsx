import type { Behaviour } from '#local/console/receiver.ts';
import { sendJson } from '../../http.ts';

/** What the receiver can be made to do, from the best to the worst. */
const choices: readonly { readonly name: string; readonly behaviour: Behaviour }[] = [
  { name: 'respond 200', behaviour: { responds: true, status: 200, delay_ms: 0 } },
  { name: 'respond 204, which counts as a failure', behaviour: { responds: true, status: 204, delay_ms: 0 } },
  { name: 'respond 500', behaviour: { responds: true, status: 500, delay_ms: 0 } },
  { name: 'respond 200 after 3 seconds', behaviour: { responds: true, status: 200, delay_ms: 3_000 } },
  { name: 'not respond at all', behaviour: { responds: false, status: 200, delay_ms: 0 } },
];

/** The built-in receiver, which can be broken on purpose. */
export function Receiver({ behaviour }: { behaviour: Behaviour }) {
  return (
    <section class="card">
      <h2>Built-in receiver</h2>
      <p class="dim">It takes any webhook that points to it, and shows the exact bytes. Break it to see retries.</p>
      <fieldset class="behaviours">
        <legend>It should</legend>
        {choices.map((choice) => (
          <label class="choice">
            <input
              type="radio"
              name="behaviour"
              checked={isSame(choice.behaviour, behaviour)}
              onChange={() => sendJson('PUT', '/console/receiver', choice.behaviour)}
            />
            {choice.name}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

const isSame = (one: Behaviour, other: Behaviour) => JSON.stringify(one) === JSON.stringify(other);
