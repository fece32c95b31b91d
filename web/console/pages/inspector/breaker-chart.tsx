import { Component, createRef } from 'preact';
import type { ShownDelivery, ShownTarget } from '#local/console/console-values.ts';
import { Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { subscriberName } from '../../subscriber-name.ts';
import { isReceived, outcomeOf } from './states.tsx';

const pastMs = 5 * 60_000;
/** For the attempts that are due. */
const futureMs = pastMs / 4;
const spanMs = pastMs + futureMs;
const rowHeight = 44;
const labelHeight = 16;

interface Attempt {
  readonly at: number;
  readonly isGood: boolean;
  readonly outcome: string;
}

/** The attempts of the last five minutes for each target, when the next ones are due, and when its breaker was open. */
export class BreakerChart extends Component<{ snapshot: Snapshot }> {
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #chart = createRef<HTMLDivElement>();

  override componentDidMount() {
    this.#timer = setInterval(() => this.forceUpdate(), 1_000);
    // Now the width is known.
    this.forceUpdate();
  }

  override componentWillUnmount() {
    clearInterval(this.#timer);
  }

  override render({ snapshot: { deliveries, targets, world } }: { snapshot: Snapshot }) {
    // The chart is drawn as wide as it is shown, so that its words are as large as all others.
    const width = this.#chart.current?.clientWidth || 1_000;
    const end = Date.now() + futureMs;
    const x = (at: number) => Math.round(width * (1 - (end - at) / spanMs));
    const rows = [...targets.values()].flatMap((target) => {
      const own = [...deliveries.values()].filter((one) => isFor(one, target));
      const attempts = own.flatMap(attemptsOf).filter(({ at }) => x(at) >= 0);
      const due = own.flatMap(({ next_attempt_at }) => (next_attempt_at === null ? [] : [Date.parse(next_attempt_at)]));
      const open = openOf(target, Date.now()).filter(({ to }) => x(to) >= 0);
      return attempts.length + due.length + open.length > 0 ? [{ target, attempts, due, open }] : [];
    });
    const now = x(Date.now());
    return (
      <section class="card">
        <h2>The last minutes</h2>
        <div ref={this.#chart} />
        {rows.length === 0 ? (
          <Empty>Attempts of the last five minutes appear here.</Empty>
        ) : (
          <figure class="chart">
            <svg
              viewBox={`0 0 ${width} ${rows.length * rowHeight + labelHeight}`}
              role="img"
              aria-label={rows.map((row) => describe(row, world)).join(' ')}
            >
              <line class="now" x1={now} x2={now} y1={0} y2={rows.length * rowHeight} />
              {rows.map(({ target, attempts, due, open }, i) => {
                const y = i * rowHeight + 30;
                return (
                  <g>
                    <text x={0} y={y - 16}>
                      {subscriberName(target.subscriber, world)} {target.target}
                    </text>
                    <line class="axis" x1={0} x2={width} y1={y} y2={y} />
                    {open.map(({ from, to }) => {
                      const left = Math.max(0, x(from));
                      return <rect class="open" x={left} y={y - 8} width={Math.max(2, x(to) - left)} height={16} />;
                    })}
                    {due.map((at) => (
                      <circle class="due" cx={Math.min(width - 6, x(at))} cy={y} r={5} />
                    ))}
                    {attempts.map(({ at, isGood, outcome }) => (
                      <g class={isGood ? 'good' : 'bad'}>
                        <title>{outcome}</title>
                        {isGood ? <circle cx={x(at)} cy={y} r={5} /> : <path d={crossAt(x(at), y)} />}
                      </g>
                    ))}
                  </g>
                );
              })}
              <text x={now} y={rows.length * rowHeight + 12} text-anchor="middle">
                now
              </text>
            </svg>
            <figcaption class="dim">
              ● received · ✕ failed · ○ next attempt · a bar: the breaker is open. The chart spans five minutes.
            </figcaption>
            <details>
              <summary>The same as a table</summary>
              <AttemptTable rows={rows} world={world} />
            </details>
          </figure>
        )}
      </section>
    );
  }
}

interface Opening {
  readonly from: number;
  readonly to: number;
  readonly isOver: boolean;
}

/** When the breaker of the target was open, and still is. */
const openOf = ({ opened_at, openings }: ShownTarget, now: number): Opening[] => [
  ...openings.map((opening) => ({ ...opening, isOver: true })),
  ...(opened_at === null ? [] : [{ from: opened_at, to: now, isOver: false }]),
];

interface Row {
  readonly target: ShownTarget;
  readonly attempts: readonly Attempt[];
  /** When the next attempts are due. */
  readonly due: readonly number[];
  readonly open: readonly Opening[];
}

/** A table with the same data as the chart. */
function AttemptTable({ rows, world }: { rows: readonly Row[]; world: Snapshot['world'] }) {
  const events = rows.flatMap(({ target, attempts, due, open }) => {
    const name = `${subscriberName(target.subscriber, world)} ${target.target}`;
    return [
      ...attempts.map(({ at, isGood, outcome }) => ({ at, name, text: isGood ? 'received' : `failed: ${outcome}` })),
      ...due.map((at) => ({ at, name, text: 'next attempt' })),
      ...open.flatMap(({ from, to, isOver }) => [
        { at: from, name, text: 'breaker opened' },
        ...(isOver ? [{ at: to, name, text: 'breaker closed' }] : []),
      ]),
    ];
  });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Target</th>
          <th scope="col">What happened</th>
        </tr>
      </thead>
      <tbody>
        {events
          .toSorted((one, other) => other.at - one.at)
          .map(({ at, name, text }) => (
            <tr>
              <td>
                <Time at={at} />
              </td>
              <td>{name}</td>
              <td>{text}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

const isFor = (delivery: ShownDelivery, { subscriber, target }: ShownTarget) =>
  delivery.subscriber === subscriber && delivery.target === target;

const attemptsOf = ({ attempts }: ShownDelivery): Attempt[] =>
  attempts.map((attempt) => ({
    at: Date.parse(attempt.at),
    isGood: isReceived(attempt),
    outcome: outcomeOf(attempt),
  }));

const crossAt = (x: number, y: number) => `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}`;

function describe({ target, attempts, due }: Row, world: Snapshot['world']): string {
  const good = attempts.filter(({ isGood }) => isGood).length;
  const name = `${subscriberName(target.subscriber, world)} ${target.target}`;
  const breaker = target.opened_at === null ? 'closed' : 'open';
  return `${name}: ${good} attempts received, ${attempts.length - good} failed, ${due.length} due, breaker ${breaker}.`;
}
