import type { ReceivedWebhook } from '#local/console/receiver.ts';
import type { ShownDelivery } from '#local/console/shown-delivery.ts';
import type { SignatureState } from '#local/console/signature-state.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Command } from '../../parts/command.tsx';
import { Badge, Json, Time, type Tone } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../../subscriber-name.ts';
import { replay } from './replay.ts';
import { isReceived, outcomeOf, reasonOf, StateBadge } from './states.tsx';
import { resume } from './target-calls.ts';

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
  const target = targets.get(`${delivery.subscriber} ${delivery.target}`);
  const url = target?.url ?? null;
  const reason = reasonOf(delivery);
  return (
    <section class="card detail" aria-label="Delivery" ref={showFromItsTop}>
      <a class="back" href="#/inspector">
        All deliveries
      </a>
      <h2>
        {delivery.subject} <StateBadge state={delivery.state} />
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
      {reason !== undefined && <p class="reason">{reason}</p>}
      <Next delivery={delivery} />
      <div class="row">
        <ActionButton kind="primary" act={() => replay(delivery, world)}>
          Replay
        </ActionButton>
        {target !== undefined && target.opened_at !== null && (
          <ActionButton act={() => resume(target)}>Resume the target</ActionButton>
        )}
      </div>
      <h3>Attempts</h3>
      <ol class="attempts">
        {delivery.attempts.map((attempt, i) => (
          <li key={attempt.at}>
            <div class="row">
              <b>{i + 1}.</b> <Time at={attempt.at} />
              <Badge tone={isReceived(attempt) ? 'good' : 'bad'}>{outcomeOf(attempt)}</Badge>
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
      {arrived.length > 0 && (
        <>
          <h3>At the built-in receiver</h3>
          {arrived.toReversed().map((one, i) => (
            <Arrived key={one.id} webhook={one} isOpen={i === 0} />
          ))}
        </>
      )}
      {arrived.length < delivery.attempts.length && <Logged delivery={delivery} hasArrived={arrived.length > 0} />}
    </section>
  );
}

/** What the delivery log keeps of attempts that the console did not see. */
function Logged({ delivery: { body }, hasArrived }: { delivery: ShownDelivery; hasArrived: boolean }) {
  return (
    <>
      <h3>In the delivery log</h3>
      <p class="dim">
        {hasArrived
          ? 'Some attempts went elsewhere or did not arrive.'
          : 'The attempts went elsewhere, or did not arrive.'}{' '}
        Of those, the log keeps the body, the time, the status and the beginning of the response, but no headers.
      </p>
      {body === null ? (
        <p class="dim">The body is too large for the log. Read it with GET …/webhook/deliveries/ID.</p>
      ) : (
        <Json value={body} label="Body of the notification" />
      )}
    </>
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
  if (state === 'held') return <p>It waits until the breaker closes, which a successful probe or Resume does.</p>;
  if (state === 'exhausted') return <p>All {attempts.length} attempts failed. Fix the receiver, then replay.</p>;
  return undefined;
}

interface SignatureText {
  readonly tone: Tone;
  readonly text: string;
  /** What it means, and what to do. */
  readonly advice?: string;
}

const signatureTexts: Readonly<Record<SignatureState, SignatureText>> = {
  right: { tone: 'good', text: 'signature is right' },
  old: {
    tone: 'warn',
    text: 'signature is right, but old',
    advice:
      'It is right for the time in webhook-timestamp, which is more than five minutes away. A receiver should reject it, as somebody may have replayed it.',
  },
  'former-secret': {
    tone: 'bad',
    text: 'signature is wrong: former secret',
    advice: 'It was made with a secret that has been rotated away.',
  },
  'changed-body': {
    tone: 'bad',
    text: 'signature is wrong: changed body',
    advice: 'It fits the body in the delivery log and not the one that arrived. Something between has changed it.',
  },
  wrong: {
    tone: 'bad',
    text: 'signature is wrong: other secret',
    advice: 'No secret of this webhook matches it. It was made with another secret, or its id or time was changed.',
  },
  missing: {
    tone: 'bad',
    text: 'not signed',
    advice: 'It has no header webhook-signature, so the service did not send it.',
  },
  'unknown-subscriber': { tone: 'warn', text: 'its subscriber does not exist any more' },
};

function Arrived({ webhook, isOpen }: { webhook: ReceivedWebhook; isOpen: boolean }) {
  const { tone, text, advice } = signatureTexts[webhook.signature];
  return (
    <details open={isOpen}>
      <summary>
        <Time at={webhook.at} /> <Badge tone={tone}>{text}</Badge> <span class="dim">{webhook.bytes} bytes</span>{' '}
        <Badge tone={webhook.status === 200 ? 'good' : 'bad'}>{webhook.status ?? 'no response'}</Badge>
      </summary>
      {advice !== undefined && <p>{advice}</p>}
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
      <Exact text={webhook.body} bytes={webhook.bytes} />
    </details>
  );
}

/** The body as it arrived, byte for byte, and beside that in a form that people can read. */
function Exact({ text, bytes }: { text: string; bytes: number }) {
  return (
    <>
      <h4>Body</h4>
      <Json value={text} label="Body as it arrived" />
      <details>
        <summary>Exactly as it arrived: {bytes} bytes</summary>
        <Command text={text} />
      </details>
    </>
  );
}
