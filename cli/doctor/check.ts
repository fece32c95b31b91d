import type { Hint } from '../terminal/hints.ts';
import { type Facts, UnknownFact } from './facts.ts';

/** `notice`: worth knowing, but no fault. `unknown`: doctor could not find out. */
export type Status = 'ok' | 'wrong' | 'unknown' | 'notice';

/** What `--fix` can do: each is safe, and does nothing when done twice. */
export type Fix =
  | { kind: 'subscribe-account'; app: number; wabaId: string }
  | { kind: 'subscribe-app'; app: number; fields: readonly string[] }
  | { kind: 'register-key'; number: string };

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

export type Help = Pick<Finding, 'command' | 'fix'>;

/** Commands for the same service, as people paste them. */
export interface Commands {
  hint: Hint;
  /** A call of AWS's own command line. */
  aws(words: string): string;
  /** Brings the code of this checkout to the service. */
  deploy: string;
}

/** What a check may look at besides its own facts. */
export interface Context extends Commands {
  all: Facts;
}

/** What a check looks at, and what to do about a finding. `npm run doctor-checks` writes it into docs/operating.md. */
export interface Check<Of> {
  /** The words for it in doctor's text. */
  title: string;
  /** What makes doctor say more than "ok". */
  says: string;
  /** What helps. */
  remedy: string;
  /** Concludes something from the facts. What it needs and doctor could not read makes the finding unknown. */
  judge(facts: Of, context: Context): Judgement | readonly Judgement[];
}

/** The findings of all checks of one kind about one subject. */
export function findingsOf<Of extends { subject: string }>(
  checks: Readonly<Record<string, Check<Of>>>,
  facts: Of,
  context: Context,
): Finding[] {
  return Object.entries(checks).flatMap(([name, { judge }]) =>
    [concluded(() => judge(facts, context))]
      .flat()
      .map((judgement) => ({ check: name, subject: facts.subject, ...judgement })),
  );
}

function concluded(judge: () => Judgement | readonly Judgement[]): Judgement | readonly Judgement[] {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof UnknownFact)) throw error;
    const { because, isUntold } = error.fact;
    return isUntold ? notice(`not checked, because ${because}`) : unknownBecause(because);
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

/** What comes first while access token and app secret are not of one app: a change would concern the wrong one. */
export const storeOneApp = 'First store the access token and the app secret of one app:';

/** A command in the table of docs/operating.md. The texts say what stands for NUMBER and the like. */
export const documented = (words: string) => `\`./messaging ${words}\``;
