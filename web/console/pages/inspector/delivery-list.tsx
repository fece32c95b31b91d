import { Component } from 'preact';
import type { ShownDelivery, ShownTarget } from '#local/console/console-values.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../../subscriber-name.ts';
import { replayAll } from './replay-from-log.ts';
import { isReceived, outcomeOf, type Received, reasonOf, StateBadge } from './states.tsx';

interface DeliveryListProps {
  /** Newest first. */
  readonly deliveries: readonly ShownDelivery[];
  readonly world: Snapshot['world'];
  readonly targets: Snapshot['targets'];
  readonly received: Snapshot['received'];
  readonly chosen: string | undefined;
}

interface Filter {
  readonly subscriber: string;
  readonly state: string;
}

const states = ['sending', 'delivered', 'waiting', 'held', 'exhausted', 'discarded'];

/** The deliveries of all subscribers, newest first. */
export class DeliveryList extends Component<DeliveryListProps, Filter> {
  override state: Filter = { subscriber: '', state: '' };

  override render({ deliveries, world, targets, received, chosen }: DeliveryListProps, { subscriber, state }: Filter) {
    const shown = deliveries.filter(
      (one) => (subscriber === '' || one.subscriber === subscriber) && (state === '' || one.state === state),
    );
    const failed = shown.filter((one) => ['waiting', 'exhausted'].includes(one.state));
    const subscribers = [...new Set(deliveries.map((one) => one.subscriber))];
    return (
      <section class="card list">
        <h2>Deliveries</h2>
        <div class="row">
          <label>
            For
            <select
              value={subscriber}
              onChange={({ currentTarget }) => this.setState({ subscriber: currentTarget.value })}
            >
              <option value="">all</option>
              {subscribers.map((id) => (
                <option value={id}>{subscriberName(id, world)}</option>
              ))}
            </select>
          </label>
          <label>
            State
            <select value={state} onChange={({ currentTarget }) => this.setState({ state: currentTarget.value })}>
              <option value="">any</option>
              {states.map((one) => (
                <option>{one}</option>
              ))}
            </select>
          </label>
          {failed.length > 0 && (
            <ActionButton kind="quiet" act={() => replayAll(failed, world)}>
              Replay all that failed ({failed.length})
            </ActionButton>
          )}
        </div>
        {shown.length === 0 ? (
          <Empty>
            {deliveries.length === 0
              ? 'Nothing has been delivered yet. Point a webhook to the built-in receiver, then write to its number on the page Phone.'
              : 'No delivery matches.'}
          </Empty>
        ) : (
          <ol class="rows">
            {shown.map((delivery) => (
              <li key={delivery.id}>
                <a href={`#/inspector/${delivery.id}`} aria-current={delivery.id === chosen ? 'true' : undefined}>
                  <span class="when">
                    <Time at={delivery.created_at} />
                  </span>
                  <span class="what">
                    {delivery.subject} {delivery.about}{' '}
                    <small class="dim">
                      {subscriberName(delivery.subscriber, world)} {delivery.target}
                    </small>
                  </span>
                  <span class="outcome">
                    <StateBadge state={delivery.state} /> {lastOutcome(delivery)}
                  </span>
                  <Summary
                    delivery={delivery}
                    target={targets.get(`${delivery.subscriber} ${delivery.target}`)}
                    received={received}
                  />
                </a>
              </li>
            ))}
          </ol>
        )}
      </section>
    );
  }
}

/** The code and the time of the last attempt. */
function lastOutcome({ attempts }: ShownDelivery): string | undefined {
  const last = attempts.at(-1);
  return last && `${outcomeOf(last)} · ${last.duration_ms} ms`;
}

/** How the attempts went, and why the last one failed. */
function Summary({
  delivery,
  target,
  received,
}: {
  delivery: ShownDelivery;
  target: ShownTarget | undefined;
  received: Received;
}) {
  const { attempts } = delivery;
  const failures = attempts.filter((attempt) => !isReceived(attempt)).length;
  const reason = reasonOf(delivery, target, received);
  if (failures === 0 && reason === undefined) return undefined;
  return (
    <span class="why">
      {reason}{' '}
      {failures > 0 && (
        <span class="dim">
          {failures} of {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'} failed.
        </span>
      )}
    </span>
  );
}
