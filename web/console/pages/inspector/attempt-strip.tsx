import { Component } from 'preact';
import type { ShownDelivery, ShownTarget } from '#local/console/console-values.ts';
import { Menu } from '#web/preview/menu.tsx';
import { Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../phone/names.ts';
import { isReceived, outcomeOf } from './states.tsx';

const pastMs = 5 * 60_000;
const minuteMs = 60_000;
/** For the attempts that are due. */
const futureMs = pastMs / 4;

interface Mark {
  readonly at: number;
  readonly kind: 'received' | 'failed' | 'due' | 'opened' | 'closed';
  readonly text: string;
  readonly target: string;
  /** The delivery to which a mark leads. */
  readonly delivery?: string;
}

/** The attempts of the last five minutes, when the next ones are due, and when breakers were open. */
export class AttemptStrip extends Component<{ snapshot: Snapshot }> {
  #timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    this.#timer = setInterval(() => this.forceUpdate(), 1_000);
  }

  override componentWillUnmount() {
    clearInterval(this.#timer);
  }

  override render({ snapshot: { deliveries, targets, world } }: { snapshot: Snapshot }) {
    const now = Date.now();
    const from = now - pastMs;
    // What moves with the time is translated, by a part of the lane, so that nothing is laid out anew.
    const along = (at: number) => (100 * Math.min(Math.max(0, at - from), pastMs + futureMs)) / (pastMs + futureMs);
    const place = (at: number) => ({ translate: `${along(at)}cqw` });
    const name = ({ subscriber, target }: Pick<ShownTarget, 'subscriber' | 'target'>) =>
      `${subscriberName(subscriber, world)} ${target}`;
    const attempts = [...deliveries.values()].flatMap((one) => marksOf(one, name(one))).filter(({ at }) => at >= from);
    const openings = [...targets.values()].flatMap((one) =>
      openingsOf(one, now)
        .filter(({ to }) => to >= from)
        .map((opening) => ({ ...opening, target: name(one) })),
    );
    const count = (kind: Mark['kind']) => attempts.filter((mark) => mark.kind === kind).length;
    const breaker = openings.some(({ isOver }) => !isOver) ? 'open' : 'closed';
    const summary = `${count('received')} received, ${count('failed')} failed, ${count('due')} due, breaker ${breaker}`;
    return (
      <section class="row strip" aria-label={`The last five minutes: ${summary}`}>
        <div class="lane">
          {[1, 2, 3, 4].map((minute) => (
            <small key={minute} class="tick" style={place(now - minute * minuteMs)}>
              −{minute} min
            </small>
          ))}
          <small class="tick now" style={place(now)}>
            now
          </small>
          {openings.map(({ from: start, to, target }) => (
            <span
              key={`${target} ${start}`}
              class="opening"
              title={`${target}: breaker open`}
              style={{ ...place(start), width: `${along(to) - along(start)}cqw` }}
            />
          ))}
          {attempts.map(({ at, kind, text, delivery }) => (
            <a
              key={`${delivery} ${at}`}
              class="mark"
              data-kind={kind}
              href={`#/inspector/${delivery}`}
              // The list has the same links, one after the other.
              tabIndex={-1}
              title={text}
              style={place(at)}
            >
              <span class="visually-hidden">{text}</span>
            </a>
          ))}
        </div>
        <Menu sign="Table" label="The last five minutes as a table" class="quiet wide">
          <table>
            <caption class="visually-hidden">The last five minutes</caption>
            <tbody>
              {[...attempts, ...openings.flatMap(marksOfOpening)]
                .toSorted((one, other) => other.at - one.at)
                .map(({ at, target, text }) => (
                  <tr>
                    <td>
                      <Time at={at} />
                    </td>
                    <td>{target}</td>
                    <td>{text}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Menu>
      </section>
    );
  }
}

function marksOf({ id, attempts, next_attempt_at }: ShownDelivery, target: string): Mark[] {
  const past = attempts.map((attempt): Mark => {
    const text = isReceived(attempt) ? 'received' : `failed: ${outcomeOf(attempt)}`;
    return {
      at: Date.parse(attempt.at),
      kind: isReceived(attempt) ? 'received' : 'failed',
      text,
      target,
      delivery: id,
    };
  });
  if (next_attempt_at === null) return past;
  return [...past, { at: Date.parse(next_attempt_at), kind: 'due', text: 'next attempt', target, delivery: id }];
}

interface Opening {
  readonly from: number;
  readonly to: number;
  readonly isOver: boolean;
}

/** When the breaker of the target was open, and still is. */
const openingsOf = ({ opened_at, openings }: ShownTarget, now: number): Opening[] => [
  ...openings.map((opening) => ({ ...opening, isOver: true })),
  ...(opened_at === null ? [] : [{ from: opened_at, to: now, isOver: false }]),
];

const marksOfOpening = ({ from, to, isOver, target }: Opening & { readonly target: string }): Mark[] => [
  { at: from, kind: 'opened', text: 'breaker opened', target },
  ...(isOver ? [{ at: to, kind: 'closed', text: 'breaker closed', target } as const] : []),
];
