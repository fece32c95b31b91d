import type { ComponentChildren } from 'preact';

/** A time of today as `14:03:07`, or without its seconds; the date stands in its title. */
export function Time({ at, isShort = false }: { at: number | string; isShort?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {date.toLocaleTimeString('en-GB').slice(0, isShort ? 5 : 8)}
    </time>
  );
}

/** JSON, indented. A text that is JSON is shown as such. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <section class="json" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <pre tabIndex={0}>{indented(value)}</pre>
    </section>
  );
}

export function indented(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** What to do when there is nothing to show yet. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** A short word about a state. Its colour only repeats what the word says. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad';
