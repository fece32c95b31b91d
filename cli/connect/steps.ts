import { Interrupted } from '../terminal/errors.ts';
import { describeFailure } from '../terminal/failures.ts';
import type { CallbackLevel } from './callback-levels.ts';

/** What became of a step. `left` is for what is as it is for a reason, and needs nobody. */
export type StepState = 'already' | 'done' | 'would' | 'left' | 'failed' | 'not-tried';

export interface Outcome {
  state: StepState;
  /** One or more sentences: what there is, what was done, or what to do. */
  text: string;
  /** The generated PIN, which nothing else shows. */
  pin?: string;
  /** Without these options, the step would fail again. */
  needs?: NeededOptions;
}

export interface NeededOptions {
  callback?: CallbackLevel;
  fields?: readonly string[];
  pin?: true;
}

export interface StepResult extends Outcome {
  step: string;
}

/** What a step throws to say what is wrong and what to do. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly needs: NeededOptions;

  /** @param needs options without which the step would fail again */
  constructor(message: string, needs: NeededOptions = {}) {
    super(message);
    this.needs = needs;
  }
}

/** What an error means in a step. */
type Explain = (error: unknown) => StepFailure | undefined;

const labels: Readonly<Record<StepState, string>> = {
  already: 'done already',
  done: 'done now',
  would: 'would do',
  left: 'left as it is',
  failed: 'failed',
  'not-tried': 'not tried',
};

/** The step as a line for people. */
export const stepLine = ({ step, state, text }: StepResult): string => `${labels[state].padEnd(13)}  ${step}: ${text}`;

/** Runs steps one after the other. A step that needs a failed one is not tried. */
export class Steps {
  readonly results: StepResult[] = [];
  readonly #dryRun: boolean;
  readonly #show: (result: StepResult) => void;

  constructor({ dryRun, show }: { dryRun: boolean; show: (result: StepResult) => void }) {
    this.#dryRun = dryRun;
    this.#show = show;
  }

  get hasFailed(): boolean {
    return this.results.some(({ state }) => state === 'failed');
  }

  /** The options that the failed steps need. */
  get needs(): NeededOptions {
    return Object.assign({}, ...this.results.map(({ needs }) => needs));
  }

  get hasChanged(): boolean {
    return this.results.some(({ state }) => state === 'done');
  }

  /** Runs a step. An error makes it fail; `explain` may say what an error means here. */
  async run(
    step: string,
    work: () => Promise<Outcome | undefined>,
    { needs = [], explain }: { needs?: readonly string[]; explain?: Explain } = {},
  ): Promise<void> {
    const missing = needs.find((name) => this.#isMissing(name));
    const outcome = missing === undefined ? await this.#outcomeOf(work, explain) : notTried(missing);
    if (outcome === undefined) return;
    const result = { step, ...outcome };
    this.results.push(result);
    this.#show(result);
  }

  /** Makes a change, or says that it would be made. */
  async change(text: string, make: () => Promise<unknown>): Promise<Outcome> {
    if (this.#dryRun) return { state: 'would', text };
    await make();
    return { state: 'done', text };
  }

  #isMissing(name: string): boolean {
    return this.results.some(({ step, state }) => step === name && (state === 'failed' || state === 'not-tried'));
  }

  async #outcomeOf(
    work: () => Promise<Outcome | undefined>,
    explain: Explain | undefined,
  ): Promise<Outcome | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      const failure = error instanceof StepFailure ? error : explain?.(error);
      return failure
        ? { state: 'failed', text: failure.message, needs: failure.needs }
        : { state: 'failed', text: describeFailure(error) };
    }
  }
}

const notTried = (missing: string): Outcome => ({ state: 'not-tried', text: `it needs the step "${missing}".` });
