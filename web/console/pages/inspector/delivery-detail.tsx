import type { ShownDelivery } from '#local/console/console-values.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, Json, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../phone/names.ts';
import { Arrived } from './arrived.tsx';
import { wordsOf } from './delivery-words.ts';
import { isWell, repairReceiver } from './receiver.tsx';
import { replay } from './replay-from-log.ts';
import {
  explanationOf,
  failedOnPurpose,
  isPaused,
  isReceived,
  lastFailureOf,
  outcomeOf,
  reasonOf,
  tones,
} from './states.tsx';
import { resume } from './webhooks.tsx';

interface DeliveryDetailProps {
  readonly delivery: ShownDelivery;
  readonly snapshot: Snapshot;
}

/** On a narrow page, the delivery takes the place of the list, and begins where the list did. */
function showFromItsTop(section: HTMLElement | null): void {
  if (section && matchMedia('(width < 54rem)').matches) scrollTo(0, 0);
}

/** One delivery: its attempts, what arrived at the built-in receiver, and what comes next. */
export function DeliveryDetail({ delivery, snapshot }: DeliveryDetailProps) {
  const { world, received, targets } = snapshot;
  const arrived = [...received.values()].filter((one) => one.delivery === delivery.id);
  const target = targets.get(`${delivery.subscriber} ${delivery.target}`);
  const url = target?.url ?? null;
  const reason = reasonOf(delivery, snapshot);
  const last = lastFailureOf(delivery);
  const wasOnPurpose = delivery.state !== 'delivered' && !!last && failedOnPurpose(delivery, last, received);
  const { who, what } = wordsOf(delivery, snapshot);
  return (
    <section class="detail" aria-label="Delivery" ref={showFromItsTop}>
      <a class="back" href="#/inspector">
        All deliveries
      </a>
      <h2 dir="auto">
        <Badge tone={tones[delivery.state]}>{delivery.state}</Badge> {who} {what}
      </h2>
      {reason !== undefined && <p class="reason">{reason}</p>}
      {!(delivery.state === 'held' && isPaused(target)) && (
        <Next delivery={delivery} probe={target?.probe_at ?? null} />
      )}
      <div class="row">
        <ActionButton kind="primary" act={() => replay(delivery, world)}>
          Replay
        </ActionButton>
        {wasOnPurpose && !isWell(snapshot.receiver) && (
          <ActionButton act={repairReceiver}>Let the built-in receiver respond 200</ActionButton>
        )}
        {target !== undefined && target.opened_at !== null && (
          <ActionButton act={() => resume(target)}>Resume the target</ActionButton>
        )}
      </div>
      <h3>Attempts</h3>
      {delivery.attempts.length === 0 && <p class="dim">None yet.</p>}
      <ol class="attempts">
        {delivery.attempts.map((attempt, i) => (
          <li key={attempt.at}>
            <div class="row">
              <b>{i + 1}.</b> <Time at={attempt.at} />
              <Badge tone={isReceived(attempt) ? 'good' : 'bad'}>{outcomeOf(attempt)}</Badge>
              <span class="dim">{attempt.duration_ms} ms</span>
              {attempt.replay && <Badge>replay</Badge>}
            </div>
            {!isReceived(attempt) && <p>{explanationOf(delivery, attempt, received)}</p>}
            {attempt.response_excerpt !== null && attempt.response_excerpt !== '' && (
              <Json value={attempt.response_excerpt} label="Response of the receiver" />
            )}
          </li>
        ))}
      </ol>
      {arrived.length > 0 && (
        <>
          <h3>At the built-in receiver</h3>
          {arrived.toReversed().map((one, i) => (
            <Arrived key={one.id} webhook={one} isOpen={i === 0} />
          ))}
        </>
      )}
      {(arrived.length === 0 || arrived.length < delivery.attempts.length) && (
        <Logged delivery={delivery} hasArrived={arrived.length > 0} />
      )}
      <dl class="facts">
        <dt>Notification</dt>
        <dd>{delivery.subject}</dd>
        <dt>For</dt>
        <dd>
          {subscriberName(delivery.subscriber, world)}, {delivery.target}
          {target?.format === 'meta' && ", in Meta's format"}
          {url !== null && `, which now points to ${url}`}
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
      </dl>
    </section>
  );
}

/** What the delivery log keeps of attempts that the console did not see. */
function Logged({ delivery: { body, attempts }, hasArrived }: { delivery: ShownDelivery; hasArrived: boolean }) {
  return (
    <>
      <h3>In the delivery log</h3>
      {attempts.length > 0 && (
        <p class="dim">
          {hasArrived
            ? 'Some attempts went elsewhere or did not arrive.'
            : 'The attempts went elsewhere, or did not arrive.'}{' '}
          For those, the log keeps the body, the time, the status and the beginning of the response, but no headers.
        </p>
      )}
      {body === null ? (
        <p class="dim">The body is too large for the log. Read it with GET …/webhook/deliveries/ID.</p>
      ) : (
        <Json value={body} label="Body of the notification" />
      )}
    </>
  );
}

/** What happens to a delivery that has not ended, and why. */
function Next({
  delivery: { state, next_attempt_at, attempts },
  probe,
}: {
  delivery: ShownDelivery;
  probe: number | null;
}) {
  if (state === 'waiting' && next_attempt_at !== null) {
    return (
      <p>
        The next attempt is due at <Time at={next_attempt_at} />.
      </p>
    );
  }
  if (state === 'held') {
    return (
      <p>
        It waits until a successful probe or Resume closes the breaker.{' '}
        {probe !== null && (
          <>
            The next probe is due at <Time at={probe} />.
          </>
        )}
      </p>
    );
  }
  if (state === 'exhausted') return <p>All {attempts.length} attempts failed. Fix the receiver, then replay.</p>;
  return undefined;
}
