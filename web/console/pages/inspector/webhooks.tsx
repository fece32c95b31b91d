import { Fragment } from 'preact';
import type { ShownTarget } from '#local/console/console-values.ts';
import { Menu } from '#web/preview/menu.tsx';
import { make } from '../../calls.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Badge } from '../../parts/text.tsx';
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
export function ReceiveEverything({ snapshot: { targets, world } }: { snapshot: Snapshot }) {
  const wanted = [...targets.values()].filter(
    (one) => ['webhook', 'calls_webhook'].includes(one.target) && !isSwitchedOff(one, world) && !isHere(one),
  );
  const receive = async () => {
    for (const one of wanted) await setUrl(one, receiverUrl(one));
  };
  return (
    <ActionButton kind="primary" disabled={wanted.length === 0} act={receive}>
      Receive everything here
    </ActionButton>
  );
}

const builtIn: readonly string[] = ['webhook', 'secondary_webhook', 'calls_webhook'];

/** Whether more can be said of a target than that it points to the built-in receiver or nowhere. */
const hasDetails = (one: ShownTarget) =>
  !builtIn.includes(one.target) || one.format === 'meta' || one.events !== null || (one.url !== null && !isHere(one));

const shortName = (target: string) => target.replace('_webhook', '');

/** Which targets point to the built-in receiver, with a switch for each that every number has, and what else is set. */
export function Webhooks({ snapshot }: { snapshot: Snapshot }) {
  const targets = [...snapshot.targets.values()];
  const rows = Map.groupBy(targets, ({ subscriber }) => subscriber);
  const set = targets.filter(({ url }) => url !== null).length;
  return (
    <Menu class="quiet wide" sign={`Webhooks: ${set} set`}>
      <table>
        <caption>Point to the built-in receiver</caption>
        <thead>
          <tr>
            <td />
            {builtIn.map((name) => (
              <th scope="col">{shortName(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([subscriber, own]) => (
            <Fragment key={subscriber}>
              <tr>
                <th scope="row">
                  {subscriberName(subscriber, snapshot.world)}
                  {own[0] && isSwitchedOff(own[0], snapshot.world) && <small class="dim"> not active</small>}
                </th>
                {builtIn.map((name) => {
                  const target = own.find((one) => one.target === name);
                  return <td>{target && <Switch target={target} snapshot={snapshot} />}</td>;
                })}
              </tr>
              {own.filter(hasDetails).map((target) => (
                <tr key={target.target}>
                  <td colSpan={1 + builtIn.length}>
                    {shortName(target.target)} {target.format === 'meta' && <Badge>Meta's format</Badge>}{' '}
                    {target.events !== null && <span class="dim">only {target.events.join(', ')}</span>}
                    <p>
                      {isHere(target) ? (
                        'points here'
                      ) : target.url === null ? (
                        'points nowhere'
                      ) : (
                        <code>{target.url}</code>
                      )}
                    </p>
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      <ReceiveEverything snapshot={snapshot} />
    </Menu>
  );
}

function Switch({ target, snapshot: { world } }: { target: ShownTarget; snapshot: Snapshot }) {
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
        </label>
      )}
    </Choice>
  );
}

/** What stands out: the targets whose breakers are not closed. */
export function OpenBreakers({ snapshot: { targets, world } }: { snapshot: Snapshot }) {
  // One that fails later moves none that failed before.
  const open = [...targets.values()]
    .filter(({ opened_at, failures }) => opened_at !== null || failures > 0)
    .toSorted((one, other) => (one.opened_at ?? Infinity) - (other.opened_at ?? Infinity) || 0);
  if (open.length === 0) return undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <ul class="open-breakers" aria-label="Breakers" tabIndex={0}>
      {open.map((target) => (
        <li class="row" key={`${target.subscriber} ${target.target}`}>
          {target.opened_at === null ? (
            <Badge tone="warn">{target.failures === 1 ? '1 failure' : `${target.failures} failures`}</Badge>
          ) : (
            <Badge tone="bad">{target.paused_at === null ? 'breaker open' : 'paused'}</Badge>
          )}
          {target.opened_at !== null && (
            <ActionButton kind="quiet" act={() => resume(target)}>
              Resume
            </ActionButton>
          )}
          <span>
            {subscriberName(target.subscriber, world)} <b>{target.target}</b>
          </span>
        </li>
      ))}
    </ul>
  );
}
