import type { Funnel } from './flow-api.ts';

/** A step of the funnel, from the messages that were sent to the Flows that were completed. */
export interface FunnelStep {
  /** `sent`, `opened`, `completed`, or the id of a screen. */
  readonly name: string;
  readonly title: string;
  /** How many contacts got here; for a screen, at most. Null if nobody here knows. */
  readonly count: number | null;
  /** How many of them got no further. */
  readonly lost: number;
  /** How many saw this screen last. */
  readonly stopped?: number;
}

interface Screen {
  readonly id: string;
  readonly title: string;
}

/** The screens stand in the order of the Flow JSON, and after them those that it does not have any more. */
export function funnelSteps({ sent, opened, completed, screens }: Funnel, known: readonly Screen[]): FunnelStep[] {
  const last = { name: 'completed', title: 'completed', count: completed, lost: 0 };
  const first = { name: 'sent', title: 'sent', count: sent, lost: sent - (opened ?? sent) };
  const second = { name: 'opened', title: 'opened', count: opened, lost: 0 };
  if (opened === null || screens === null) return [first, second, last];
  const stoppedAt = new Map(screens.map(({ screen, stopped }) => [screen, stopped]));
  const all = new Map([
    ...known.map(({ id, title }) => [id, title] as const),
    ...screens.flatMap(({ screen }) => (known.some(({ id }) => id === screen) ? [] : [[screen, screen] as const])),
  ]);
  let left = opened;
  const between = [...all].map(([name, title]) => {
    const stopped = stoppedAt.get(name) ?? 0;
    const step = { name, title, count: left, lost: stopped, stopped };
    left -= stopped;
    return step;
  });
  return [first, second, ...between, last];
}
