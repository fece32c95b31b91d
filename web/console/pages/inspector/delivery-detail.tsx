import type { ReceivedWebhook, SignatureState } from '#local/console/receiver.ts';
import type { ShownDelivery } from '#local/console/shown-delivery.ts';
import { make } from '../../calls.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, Json, Time, type Tone } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../../subscriber-name.ts';
import { outcomeOf, StateBadge, subjectOf } from './states.tsx';

interface DeliveryDetailProps {
  readonly delivery: ShownDelivery;
  readonly snapshot: Snapshot;
}

/** On a narrow page, the delivery takes the place of the list, and begins where the list did. */
function showFromItsTop(section: HTMLElement | null): void {
  if (matchMedia('(width < 54rem)').matches) section?.scrollIntoView();
}

/** One delivery: its attempts, what arrived at the built-in receiver, and what comes next. */
export function DeliveryDetail({ delivery, snapshot }: DeliveryDetailProps) {
  const { world, received, targets } = snapshot;
  const arrived = [...received.values()].filter((one) => one.delivery === delivery.id);
  const url = targets.get(`${delivery.subscriber} ${delivery.target}`)?.url ?? null;
  return (
    <section class="card detail" aria-label="Delivery" ref={showFromItsTop}>
      <a class="back" href="#/inspector">
        All deliveries
      </a>
      <h2>
        {subjectOf(delivery)} <StateBadge state={delivery.state} />
      </h2>
      <p>
        For <b>{subscriberName(delivery.subscriber, world)}</b>, <code>{delivery.target}</code>
        {url !== null && (
          <>
            {' at '}
            <span class="url">{url}</span>
          </>
        )}
      </p>
      <p class="dim">
        <code>{delivery.id}</code>
      </p>
      <Next delivery={delivery} />
      <div class="row">
        <ActionButton kind="primary" act={() => replay(delivery, snapshot)}>
          Replay
        </ActionButton>
      </div>
      <h3>Attempts</h3>
      <ol class="attempts">
        {delivery.attempts.map((attempt, i) => (
          <li key={attempt.at}>
            <div class="row">
              <b>{i + 1}.</b> <Time at={attempt.at} />
              <Badge tone={attempt.status === 200 ? 'good' : 'bad'}>{outcomeOf(attempt)}</Badge>
              <span class="dim">{attempt.duration_ms} ms</span>
              {attempt.replay && <Badge>replay</Badge>}
            </div>
            {attempt.explanation !== null && <p>{attempt.explanation}</p>}
            {attempt.response_excerpt !== null && attempt.response_excerpt !== '' && (
              <Json value={attempt.response_excerpt} label="Response of the receiver" />
            )}
          </li>
        ))}
      </ol>
      {arrived.length > 0 ? (
        <>
          <h3>At the built-in receiver</h3>
          {arrived.toReversed().map((one, i) => (
            <Arrived key={one.id} webhook={one} isOpen={i === 0} />
          ))}
        </>
      ) : (
        delivery.body !== null && (
          <>
            <h3>Body</h3>
            <p class="dim">
              From the delivery log: the receiver is not the built-in one, or the attempt did not reach it.
            </p>
            <Json value={delivery.body} label="Body of the notification" />
          </>
        )
      )}
    </section>
  );
}

/** What happens to a delivery that has not ended, and why. */
function Next({ delivery: { state, next_attempt_at, attempts } }: { delivery: ShownDelivery }) {
  if (state === 'waiting' && next_attempt_at !== null) {
    return (
      <p>
        The next attempt is due at <Time at={next_attempt_at} />.
      </p>
    );
  }
  if (state === 'held') return <p>The circuit breaker of the target is open. The delivery waits until it closes.</p>;
  if (state === 'exhausted') return <p>All {attempts.length} attempts failed. Fix the receiver, then replay.</p>;
  if (state === 'discarded') return <p>The URL was removed, or the number was switched off. Nothing is sent.</p>;
  return undefined;
}

const signatureTexts: Readonly<Record<SignatureState, { readonly tone: Tone; readonly text: string }>> = {
  right: { tone: 'good', text: 'signature is right' },
  wrong: { tone: 'bad', text: 'signature is wrong' },
  missing: { tone: 'bad', text: 'not signed' },
  'unknown-subscriber': { tone: 'warn', text: 'its subscriber does not exist any more' },
};

function Arrived({ webhook, isOpen }: { webhook: ReceivedWebhook; isOpen: boolean }) {
  const { tone, text } = signatureTexts[webhook.signature];
  return (
    <details open={isOpen}>
      <summary>
        <Time at={webhook.at} /> <Badge tone={tone}>{text}</Badge> <span class="dim">{webhook.bytes} bytes</span>{' '}
        <Badge tone={webhook.status === 200 ? 'good' : 'bad'}>{webhook.status ?? 'no response'}</Badge>
      </summary>
      <table>
        <caption class="visually-hidden">Headers</caption>
        <tbody>
          {Object.entries(webhook.headers).map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Json value={webhook.body} label="Body as it arrived" />
    </details>
  );
}

function replay({ subscriber, id }: ShownDelivery, { world }: Snapshot): Promise<unknown> {
  const isNumber = world.numbers.some((number) => number.id === subscriber);
  const owner = isNumber ? `messaging/numbers/${subscriber}` : `workspaces/${subscriber}`;
  const path = `/v2/${owner}/webhook/deliveries/${id}/replay`;
  return make({ to: 'service', method: 'POST', path, body: undefined });
}
