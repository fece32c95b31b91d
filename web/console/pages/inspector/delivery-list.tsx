import { Component } from 'preact';
import type { ShownDelivery } from '#local/console/console-values.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../phone/names.ts';
import { wordsOf } from './delivery-words.ts';
import { replayAll } from './replay-from-log.ts';
import { icons, outcomeOf, reasonOf, tones } from './states.tsx';
import { ReceiveEverything } from './webhooks.tsx';

interface DeliveryListProps {
  /** Newest first. */
  readonly deliveries: readonly ShownDelivery[];
  readonly snapshot: Snapshot;
  readonly chosen: string | undefined;
}

interface ListState {
  readonly subscriber: string;
  readonly state: string;
  /** Deliveries that came after this time wait, so that no row moves while somebody reads. */
  readonly until?: string | undefined;
}

const states = ['sending', 'delivered', 'waiting', 'held', 'exhausted', 'discarded'];

/** The deliveries of all subscribers, newest first. */
export class DeliveryList extends Component<DeliveryListProps, ListState> {
  override state: ListState = { subscriber: '', state: '' };

  static override getDerivedStateFromProps({ deliveries, chosen }: DeliveryListProps, { until }: ListState) {
    return { until: chosen === undefined ? undefined : (until ?? deliveries[0]?.created_at) };
  }

  override render({ deliveries, snapshot, chosen }: DeliveryListProps, { subscriber, state, until }: ListState) {
    const { world, targets } = snapshot;
    const matching = deliveries.filter(
      (one) => (subscriber === '' || one.subscriber === subscriber) && (state === '' || one.state === state),
    );
    const shown = until === undefined ? matching : matching.filter(({ created_at }) => created_at <= until);
    const waiting = matching.length - shown.length;
    const failed = shown.filter((one) => ['waiting', 'exhausted'].includes(one.state));
    const isSet = [...targets.values()].some(({ url }) => url !== null);
    const subscribers = [...new Set(deliveries.map((one) => one.subscriber))];
    return (
      <section class="list" aria-label="Deliveries">
        <div class="row filters">
          <select
            class="quiet"
            aria-label="Deliveries for"
            value={subscriber}
            onChange={({ currentTarget }) => this.setState({ subscriber: currentTarget.value })}
          >
            <option value="">all numbers</option>
            {subscribers.map((id) => (
              <option value={id}>{subscriberName(id, world)}</option>
            ))}
          </select>
          <select
            class="quiet"
            aria-label="State"
            value={state}
            onChange={({ currentTarget }) => this.setState({ state: currentTarget.value })}
          >
            <option value="">any state</option>
            {states.map((one) => (
              <option>{one}</option>
            ))}
          </select>
          {failed.length > 0 && (
            <ActionButton kind="quiet" act={() => replayAll(failed, world)}>
              Replay {failed.length} failed
            </ActionButton>
          )}
        </div>
        {deliveries.length === 0 && isSet && (
          <Empty>
            Nothing has been delivered yet. <a href="#/phone">Write to a number</a> whose webhook is set.
          </Empty>
        )}
        {deliveries.length === 0 && !isSet && (
          <div class="nothing-set">
            <Empty>No webhook is set, so nothing is delivered.</Empty>
            <ReceiveEverything snapshot={snapshot} />
          </div>
        )}
        {deliveries.length > 0 && shown.length === 0 && <Empty>No delivery matches.</Empty>}
        {waiting > 0 && (
          <button
            type="button"
            class="primary quiet news"
            onClick={() => this.setState({ until: deliveries[0]?.created_at })}
          >
            Show {waiting} new
          </button>
        )}
        <ol class="rows">
          {shown.map((delivery) => (
            <Row
              key={delivery.id}
              delivery={delivery}
              snapshot={snapshot}
              isChosen={delivery.id === chosen}
              hasManyTargets={targets.size > 1}
            />
          ))}
        </ol>
      </section>
    );
  }
}

interface RowProps {
  readonly delivery: ShownDelivery;
  readonly snapshot: Snapshot;
  readonly isChosen: boolean;
  readonly hasManyTargets: boolean;
}

function Row({ delivery, snapshot, isChosen, hasManyTargets }: RowProps) {
  const { id, subscriber, target, state, attempts, created_at } = delivery;
  const { who, what } = wordsOf(delivery, snapshot);
  const last = attempts.at(-1);
  const reason = reasonOf(delivery, snapshot);
  return (
    <li>
      <a href={`#/inspector/${id}`} aria-current={isChosen ? 'true' : undefined}>
        <span class={`state-icon ${tones[state]}`} title={state}>
          <Icon name={icons[state]} />
          <span class="visually-hidden">{state}</span>
        </span>
        <span class="what" dir="auto">
          {who !== '' && <b>{who} </b>}
          {what}
        </span>
        <span class="outcome">{last && `${outcomeOf(last)} · ${last.duration_ms} ms`}</span>
        <span class={reason === undefined ? 'why dim' : 'why'}>
          {reason ?? (hasManyTargets && `${subscriberName(subscriber, snapshot.world)} ${target}`)}
        </span>
        <span class="when">
          <Time at={created_at} />
        </span>
      </a>
    </li>
  );
}
