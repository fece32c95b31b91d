import type { ShownTarget } from '#local/console/console-values.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../../subscriber-name.ts';
import { resume, setUrl } from './target-calls.ts';

/** The address at the built-in receiver for a target. */
const receiverUrl = ({ subscriber, target }: ShownTarget) => `${location.origin}/receiver/${subscriber}/${target}`;

/** The targets of all subscribers: where they point, and the state of their breakers. */
export function Targets({ snapshot: { targets, world } }: { snapshot: Snapshot }) {
  const [set, unset] = [[...targets.values()].filter(isSet), [...targets.values()].filter((one) => !isSet(one))];
  return (
    <section class="card">
      <h2>Webhooks</h2>
      {set.length === 0 && <Empty>No webhook is set. Point one to the built-in receiver.</Empty>}
      <TargetList targets={set} world={world} />
      <details open={set.length === 0}>
        <summary>{unset.length} without a URL</summary>
        <TargetList targets={unset} world={world} />
      </details>
    </section>
  );
}

const isSet = ({ url }: ShownTarget) => url !== null;

const isSwitchedOff = ({ subscriber }: ShownTarget, { numbers }: Snapshot['world']) =>
  numbers.some(({ id, active }) => id === subscriber && !active);

function TargetList({ targets, world }: { targets: readonly ShownTarget[]; world: Snapshot['world'] }) {
  return (
    <ul class="targets">
      {targets.map((one) => (
        <li key={`${one.subscriber} ${one.target}`}>
          <div class="row">
            <b>{subscriberName(one.subscriber, world)}</b>
            <code>{one.target}</code>
            <State target={one} />
          </div>
          <div class="row">
            {one.url !== null && <span class="url">{one.url}</span>}
            {isSwitchedOff(one, world) && <span class="dim">The number is not active.</span>}
            {one.url !== receiverUrl(one) && !isSwitchedOff(one, world) && (
              <ActionButton kind="quiet" act={() => setUrl(one, receiverUrl(one))}>
                Point to the built-in receiver
              </ActionButton>
            )}
            {one.opened_at !== null && (
              <ActionButton kind="quiet" act={() => resume(one)}>
                Resume
              </ActionButton>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function State({ target: { url, opened_at, paused_at, probe_at, failures } }: { target: ShownTarget }) {
  if (url === null) return undefined;
  if (opened_at === null) {
    return failures === 0 ? (
      <Badge tone="good">breaker closed</Badge>
    ) : (
      <Badge tone="warn">{failures === 1 ? '1 failure' : `${failures} failures`}</Badge>
    );
  }
  return (
    <>
      <Badge tone="bad">{paused_at === null ? 'breaker open' : 'paused'}</Badge>
      {paused_at === null && probe_at !== null && (
        <span class="dim">
          next probe <Time at={probe_at} />
        </span>
      )}
    </>
  );
}
