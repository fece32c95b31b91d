import { type Clock, dayMs, hourMs, minuteMs } from '#shared/base/time.ts';
import type { Hint } from '../terminal/hints.ts';
import { Unknown } from './reads.ts';
import type { NumberSubject } from './subjects.ts';

/** `notice`: worth knowing, but no fault. `unknown`: doctor could not find out. */
export type Status = 'ok' | 'wrong' | 'unknown' | 'notice';

/** What `--fix` can do: it is safe, and does nothing when done twice. */
export interface Fix {
  /** What it does, as an imperative: the same text for the same fix of a subject. */
  what: string;
  apply: () => Promise<void>;
}

/** What doctor says about one thing. */
export interface Finding {
  /** The name of the check. */
  check: string;
  status: Status;
  /** What the finding is about: the service, credentials, an account, a number or a Flow. */
  subject: string;
  text: string;
  /** A command to paste that fixes it. */
  command?: string;
  fix?: Fix;
}

/** What a check concludes. */
export type Judgement = Omit<Finding, 'check' | 'subject'>;
type Judgements = Judgement | readonly Judgement[];

export type Help = Pick<Finding, 'command' | 'fix'>;

/** What a check may look at besides its own subject. */
export interface Context {
  now: Clock;
  /** Writes commands for the same service, as people paste them. */
  hint: Hint;
  /** The address at which the platform should send events. */
  callback: string;
  /** The numbers that are checked. */
  numbers: readonly NumberSubject[];
}

/** Reads what it needs, and concludes something. What cannot be read makes the finding unknown. */
export type Check<Of> = (subject: Of, context: Context) => Judgements | Promise<Judgements>;

/** The findings of all checks of one kind about one subject. */
export async function findingsOf<Of extends { subject: string }>(
  checks: Readonly<Record<string, Check<Of>>>,
  of: Of,
  context: Context,
): Promise<Finding[]> {
  const { subject } = of;
  const findings = await Promise.all(
    Object.entries(checks).map(async ([check, judge]) =>
      [await conclude(async () => judge(of, context))].flat().map((judgement) => ({ check, subject, ...judgement })),
    ),
  );
  return findings.flat();
}

async function conclude(judge: () => Promise<Judgements>): Promise<Judgements> {
  try {
    return await judge();
  } catch (error) {
    if (error instanceof Unknown) return unknownBecause(error.message);
    throw error;
  }
}

export const ok = (text: string): Judgement => ({ status: 'ok', text });
export const wrong = (text: string, help: Help = {}): Judgement => ({ status: 'wrong', text, ...help });
export const notice = (text: string, help: Help = {}): Judgement => ({ status: 'notice', text, ...help });
export const unknownBecause = (because: string): Judgement => ({
  status: 'unknown',
  text: `unknown, because ${because.replace(/^The /, 'the ')}`,
});
export const notShown = notice('not checked, because the platform does not show it');

/** How doctor's texts write times, lengths of time and numbers. */

export const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const dayAndTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A length of time in its largest unit, rounded down. */
export function span(ms: number): string {
  const units = [
    [dayMs, 'day'],
    [hourMs, 'hour'],
    [minuteMs, 'minute'],
    [1000, 'second'],
  ] as const;
  const [length, name] = units.find(([unit]) => ms >= unit) ?? [1000, 'second'];
  return plural(Math.floor(ms / length), name);
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `a`, `a and b`, `a, b and c`. */
export const list = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);
