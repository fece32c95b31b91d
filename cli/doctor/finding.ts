import type { Hint } from '../terminal/hints.ts';
import type { CheckName } from './catalogue.ts';
import type { Fact } from './facts/fact.ts';

/**
 * `notice`: worth knowing, but no fault. `unknown`: doctor could not find out. `by-hand`: the platform does not show it,
 * so a person has to look.
 */
export type Status = 'ok' | 'wrong' | 'unknown' | 'notice' | 'by-hand';

/** What `--fix` can do: each is safe, and does nothing when done twice. */
export type Fix =
  | { kind: 'subscribe-account'; app: number; wabaId: string }
  | { kind: 'subscribe-app'; app: number; fields: readonly string[] }
  | { kind: 'register-key'; number: string };

/** What doctor says about one thing. */
export interface Finding {
  check: CheckName;
  status: Status;
  /** What the finding is about: the service, credentials, an account, a number or a Flow. */
  subject: string;
  text: string;
  /** A command to paste that fixes it. */
  command?: string;
  fix?: Fix;
}

/** What comes first while access token and app secret are not of one app: a change would concern the wrong one. */
export const storeOneApp = 'First store the access token and the app secret of one app:';

/** What a check concludes from a fact. */
export type Judgement = Omit<Finding, 'check' | 'subject'>;

type Help = Pick<Finding, 'command' | 'fix'>;

export const ok = (text: string): Judgement => ({ status: 'ok', text });
export const wrong = (text: string, help: Help = {}): Judgement => ({ status: 'wrong', text, ...help });
export const notice = (text: string, help: Help = {}): Judgement => ({ status: 'notice', text, ...help });
export const byHand = (text: string): Judgement => ({ status: 'by-hand', text });
export const unknownBecause = (because: string): Judgement => ({
  status: 'unknown',
  text: `unknown, because ${because.replace(/^The /, 'the ')}`,
});

export const finding = (check: CheckName, subject: string, judgement: Judgement): Finding => ({
  check,
  subject,
  ...judgement,
});

/** Judges a fact; what is unknown stays unknown. */
export function judge<T>(check: CheckName, subject: string, fact: Fact<T>, conclude: (value: T) => Judgement): Finding {
  if (fact.isKnown) return finding(check, subject, conclude(fact.value));
  return finding(
    check,
    subject,
    fact.isUntold ? notice(`not checked, because ${fact.because}`) : unknownBecause(fact.because),
  );
}

/** Commands for the same service, as people paste them. */
export interface Commands {
  hint: Hint;
  /** A call of AWS's own command line. */
  aws(words: string): string;
  /** Brings the code of this checkout to the service. */
  deploy: string;
}
