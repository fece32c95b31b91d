import type { Behaviour, ReceivedWebhook } from '#local/console/console-values.ts';
import { Menu } from '#web/preview/menu.tsx';
import { sendJson } from '../../http.ts';
import { Choice } from '../../parts/choice.tsx';
import { Arrived } from './arrived.tsx';

const well: Behaviour = { responds: true, status: 200, delay_ms: 0 };

interface ReceiverChoice {
  readonly name: string;
  /** What the segment shows. */
  readonly short: string;
  readonly behaviour: Behaviour;
}

/** What the receiver can be made to do, from the best to the worst. */
const choices: readonly ReceiverChoice[] = [
  { name: 'respond 200', short: '200', behaviour: well },
  {
    name: 'respond 204, which counts as a failure',
    short: '204',
    behaviour: { responds: true, status: 204, delay_ms: 0 },
  },
  { name: 'respond 500', short: '500', behaviour: { responds: true, status: 500, delay_ms: 0 } },
  { name: 'respond 200 after 3 s', short: '3 s', behaviour: { responds: true, status: 200, delay_ms: 3_000 } },
  { name: 'stay silent', short: 'silent', behaviour: { responds: false, status: 200, delay_ms: 0 } },
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
    <div class="receiver" data-broken={!isWell(behaviour)}>
      <Choice value={current?.name ?? ''} act={set}>
        {(shown, choose) => (
          <fieldset class="segments">
            <legend>Receiver responds</legend>
            {offered.map(({ name, short }) => (
              <label key={name} title={name}>
                <input
                  type="radio"
                  name="behaviour"
                  aria-label={name}
                  checked={name === shown}
                  onChange={() => choose(name)}
                />
                {short}
              </label>
            ))}
          </fieldset>
        )}
      </Choice>
      {strangers.length > 0 && (
        <Menu class="quiet wide" sign={`${strangers.length} without a delivery`}>
          {strangers.toReversed().map((webhook) => (
            <Arrived key={webhook.id} webhook={webhook} isOpen={false} />
          ))}
        </Menu>
      )}
    </div>
  );
}

/** A program may have set another behaviour than those of the page. */
function choicesWith(behaviour: Behaviour): readonly ReceiverChoice[] {
  if (choices.some((one) => isSame(one.behaviour, behaviour))) return choices;
  const { responds, status, delay_ms } = behaviour;
  const name = responds ? `respond ${status} after ${delay_ms} ms` : 'not respond at all';
  return [...choices, { name, short: responds ? String(status) : 'silent', behaviour }];
}

const setReceiver = (behaviour: Behaviour | undefined) => sendJson('PUT', '/console/receiver', behaviour);

export const repairReceiver = () => setReceiver(well);

export const isWell = (behaviour: Behaviour) => isSame(behaviour, well);

const isSame = (one: Behaviour, other: Behaviour) => JSON.stringify(one) === JSON.stringify(other);
