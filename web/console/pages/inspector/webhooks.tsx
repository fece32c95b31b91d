import type { ShownTarget } from '#local/console/console-values.ts';
import { Menu } from '#web/preview/menu.tsx';
import { make } from '../../calls.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../phone/names.ts';

const pathOf = ({ subscriber, isWorkspace }: ShownTarget) =>
  isWorkspace ? `/v2/workspaces/${subscriber}/webhook` : `/v2/messaging/numbers/${subscriber}/webhook`;

/** The address at the built-in receiver for a target. */
const receiverUrl = ({ subscriber, target }: ShownTarget) => `${location.origin}/receiver/${subscriber}/${target}`;

const isHere = (target: ShownTarget) => target.url === receiverUrl(target);

const setUrl = (target: ShownTarget, url: string | null) =>
  make({ to: 'service', method: 'PUT', path: pathOf(target), body: { [target.target]: url } });

/** Closes the breaker of the target, and delivers what was held. */
export const resume = (target: ShownTarget) =>
  make({
    to: 'service',
    method: 'POST',
    path: `${pathOf(target)}/resume`,
    body: target.isWorkspace ? {} : { target: target.target },
  });

const isSwitchedOff = ({ subscriber }: ShownTarget, { numbers }: Snapshot['world']) =>
  numbers.some(({ id, active }) => id === subscriber && !active);

/** Every notification once: the second webhook would repeat them. */
const receiveEverything = async ({ targets, world }: Snapshot) => {
  const wanted = [...targets.values()].filter(
    (one) => ['webhook', 'calls_webhook'].includes(one.target) && !isSwitchedOff(one, world) && !isHere(one),
  );
  for (const one of wanted) await setUrl(one, receiverUrl(one));
};

export const ReceiveEverything = ({ snapshot }: { snapshot: Snapshot }) => (
  <ActionButton kind="primary" act={() => receiveEverything(snapshot)}>
    Receive everything here
  </ActionButton>
);

/** Which targets point to the built-in receiver, with a switch for each. */
export function Webhooks({ snapshot }: { snapshot: Snapshot }) {
  const targets = [...snapshot.targets.values()];
  const columns = [...new Set(targets.map(({ target }) => target))];
  const rows = Map.groupBy(targets, ({ subscriber }) => subscriber);
  const set = targets.filter(({ url }) => url !== null).length;
  return (
    <Menu class="webhooks" sign={`Webhooks: ${set} of ${targets.length} set`}>
      <table>
        <caption>Point to the built-in receiver</caption>
        <thead>
          <tr>
            <td />
            {columns.map((name) => (
              <th scope="col">{name.replace('_webhook', '')}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([subscriber, own]) => (
            <tr key={subscriber}>
              <th scope="row">
                {subscriberName(subscriber, snapshot.world)}
                {own[0] && isSwitchedOff(own[0], snapshot.world) && <small class="dim"> not active</small>}
              </th>
              {columns.map((name) => {
                const target = own.find((one) => one.target === name);
                return <td>{target && <Switch target={target} snapshot={snapshot} />}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ReceiveEverything snapshot={snapshot} />
    </Menu>
  );
}

function Switch({ target, snapshot: { world } }: { target: ShownTarget; snapshot: Snapshot }) {
  const isElsewhere = target.url !== null && !isHere(target);
  return (
    <Choice
      value={String(isHere(target))}
      act={(chosen) => setUrl(target, chosen === 'true' ? receiverUrl(target) : null)}
    >
      {(shown, choose) => (
        <label title={target.url ?? undefined}>
          <input
            type="checkbox"
            aria-label={`${subscriberName(target.subscriber, world)} ${target.target}`}
            checked={shown === 'true'}
            disabled={isSwitchedOff(target, world)}
            onChange={({ currentTarget }) => choose(String(currentTarget.checked))}
          />
          {isElsewhere && <small class="dim">elsewhere</small>}
        </label>
      )}
    </Choice>
  );
}

/** What stands out: the targets whose breakers are not closed. */
export function OpenBreakers({ snapshot: { targets, world } }: { snapshot: Snapshot }) {
  const open = [...targets.values()].filter(({ opened_at, failures }) => opened_at !== null || failures > 0);
  return (
    <ul class="open-breakers" aria-label="Breakers">
      {open.map((target) => (
        <li class="row" key={`${target.subscriber} ${target.target}`}>
          <span>
            {subscriberName(target.subscriber, world)} <code>{target.target}</code>
          </span>
          <State target={target} />
          {target.opened_at !== null && (
            <ActionButton kind="quiet" act={() => resume(target)}>
              Resume
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function State({ target: { opened_at, paused_at, probe_at, failures } }: { target: ShownTarget }) {
  if (opened_at === null) return <Badge tone="warn">{failures === 1 ? '1 failure' : `${failures} failures`}</Badge>;
  if (paused_at !== null) return <Badge tone="bad">paused</Badge>;
  return (
    <>
      <Badge tone="bad">breaker open</Badge>
      {probe_at !== null && (
        <small class="dim">
          next probe <Time at={probe_at} />
        </small>
      )}
    </>
  );
}
