import type { Workspace } from '#shared/accounts/workspace.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { ProvenApp } from '../platform/app-credentials.ts';
import type { CallbackLevel } from '../platform/event-address.ts';
import type { Callback, Management } from '../platform/management.ts';
import type { Service, Upstream } from '../service.ts';
import { describeFailure } from '../terminal/describe-failure.ts';
import { Interrupted } from '../terminal/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ConnectOptions {
  callback?: CallbackLevel | undefined;
  /** The fields of the platform, in place of those that the service needs. */
  fields?: readonly string[] | undefined;
  calling?: 'on' | undefined;
  /** Asks for the PIN of two-step verification. */
  pin?: boolean | undefined;
  dryRun?: boolean | undefined;
  /**
   * How long to wait for a new event. By default five minutes if none arrived before and somebody is there, otherwise
   * not at all.
   */
  waitSeconds?: number | undefined;
}

/** The context of the steps. */
export interface Setup {
  service: Service;
  /** The platform, with the credentials of the workspace. */
  upstream: Upstream;
  management: Management;
  workspace: Workspace;
  wabaId: string;
  number: PhoneNumber;
  app: ProvenApp;
  /** The service's address for events. */
  callback: Callback;
  options: ConnectOptions;
  terminal: Terminal;
  steps: Steps;
  /** The command itself, for steps that say how to run it again. */
  self: string;
}

type StepName =
  | ('credentials' | 'number' | 'verify token' | 'business account' | 'app' | 'callback')
  | ('registration' | 'Flow key' | 'calling' | 'first message');

/** The result of a step. `left` means that the step changed nothing on purpose, and its text says why. */
export type StepState = 'already' | 'done' | 'would' | 'left' | 'failed' | 'not-tried';

export interface Outcome {
  state: StepState;
  /** One or more sentences: what there is, what was done, or what to do. */
  text: string;
  /** The generated PIN, which nothing else shows. */
  pin?: string;
}

export interface StepResult extends Outcome {
  step: StepName;
}

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

/** What to do about errors of the platform, by code (Meta, "Error codes"). */
const advice: Readonly<Record<number, string>> = {
  2200: 'The platform could not make its handshake. Check that the address is open to the internet, with a valid certificate.',
  133005: 'The PIN is wrong. Do not guess: the number can be registered ten times in 72 hours.',
  133006: 'The number must be verified first, with a code by SMS or call: WhatsApp Manager, Phone numbers.',
  133008: 'Too many wrong PINs. Wait for the time that the platform names, or change the PIN in the WhatsApp Manager.',
  133009: 'The PIN was sent too quickly. Wait some minutes, and try again.',
  133015: 'The number was deleted a moment ago. Wait five minutes, and try again.',
  133016: 'The number was registered or deregistered ten times in 72 hours. Wait, and do not try until then.',
};

/** Runs steps one after the other. */
export class Steps {
  readonly results: StepResult[] = [];
  readonly #dryRun: boolean;
  readonly #show: (result: StepResult) => void;

  constructor(dryRun: boolean, show: (result: StepResult) => void) {
    this.#dryRun = dryRun;
    this.#show = show;
  }

  has(...states: StepState[]): boolean {
    return this.results.some(({ state }) => states.includes(state));
  }

  /** Runs a step, unless one that it needs has failed. An error makes it fail. Resolves with what the work found. */
  async run<Found extends Outcome>(
    step: StepName,
    needs: readonly StepName[],
    work: () => Promise<Found>,
  ): Promise<Found | undefined> {
    const missing = this.results.find(
      (result) => needs.includes(result.step) && ['failed', 'not-tried'].includes(result.state),
    );
    if (missing) return this.#add(step, { state: 'not-tried', text: `it needs the step "${missing.step}".` });
    try {
      const found = await work();
      this.#add(step, found);
      return found;
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      return this.#add(step, { state: 'failed', text: textOf(error) });
    }
  }

  #add(step: StepName, { state, text, pin }: Outcome): undefined {
    const result = { step, state, text, ...(pin && { pin }) };
    this.results.push(result);
    this.#show(result);
  }

  /** Makes a change, or says that it would be made. */
  async change(text: string, make: () => Promise<unknown>): Promise<Outcome> {
    if (this.#dryRun) return { state: 'would', text };
    await make();
    return { state: 'done', text };
  }
}

function textOf(error: unknown): string {
  const known = error instanceof UpstreamError ? advice[error.code ?? 0] : undefined;
  return known === undefined ? describeFailure(error) : `${known} (${(error as Error).message})`;
}
