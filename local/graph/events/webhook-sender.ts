import { createHmac, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { envelopeOf } from './envelope.ts';
import type { Change } from './events.ts';

/** How the upstream's webhooks are signed, or how a forged one is not. */
export type Signing = 'valid' | 'wrong' | 'missing';

interface Attempt {
  readonly at: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The start of the answer's body, or why there was none. */
  readonly answer: string;
}

/** A webhook and how it went. Attempts are added as they are made. */
export interface SentWebhook {
  readonly callback_url: string;
  readonly signature: Signing;
  readonly body: unknown;
  readonly attempts: readonly Attempt[];
}

export interface WebhookSenderOptions {
  readonly appSecret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where webhooks go from the start, without a handshake. */
  readonly callbackUrl: string | undefined;
  /** The pauses before another attempt, in milliseconds. The upstream goes on for days. */
  readonly retryMs: readonly number[];
}

const keptWebhooks = 1000;
const timeoutMs = 10_000;
const answerLength = 1000;

/** Sends webhooks as the upstream does: signed over the bytes sent, and again until the answer is a 200. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #sent: SentWebhook[] = [];
  readonly #stopping = new AbortController();
  #callbackUrl: string | undefined;
  #announced: Promise<unknown> = Promise.resolve();

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.#callbackUrl = options.callbackUrl;
  }

  /** Undefined while nobody wants webhooks. */
  get callbackUrl(): string | undefined {
    return this.#callbackUrl;
  }

  /** The latest webhooks, oldest first. */
  get sent(): readonly SentWebhook[] {
    return this.#sent;
  }

  /** Takes a callback into use when it answers the handshake; otherwise throws an error that says what it did. */
  async subscribe(callbackUrl: string, verifyToken: string): Promise<void> {
    const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
    const url = new URL(callbackUrl);
    url.searchParams.set('hub.mode', 'subscribe');
    url.searchParams.set('hub.challenge', challenge);
    url.searchParams.set('hub.verify_token', verifyToken);
    const { status, answer } = await this.#attempt(url.href, {});
    if (status !== 200 || answer !== challenge) {
      const what = status === null ? answer : `it answered ${status}`;
      throw new Error(`The callback URL or the verify token could not be validated: ${what}`);
    }
    this.#callbackUrl = callbackUrl;
  }

  /** Tells the callback of an event when it can, one after another; nobody waits for it. */
  announce(change: Change): void {
    const callbackUrl = this.#callbackUrl;
    if (callbackUrl === undefined) return;
    const envelope = envelopeOf([change], this.#options.now());
    this.#announced = this.#announced.then(() => this.send(callbackUrl, envelope));
  }

  /** Sends a body, the upstream's or any other. Resolves after the first attempt; those that follow go on by themselves. */
  async send(callbackUrl: string, body: unknown, signature: Signing = 'valid'): Promise<SentWebhook> {
    const bytes = Buffer.from(escapeNonAscii(JSON.stringify(body)));
    const headers = { 'content-type': 'application/json', ...this.#signatureHeader(bytes, signature) };
    const attempts: Attempt[] = [];
    const sent: SentWebhook = { callback_url: callbackUrl, signature, body, attempts };
    this.#record(sent);

    const attempt = async () => {
      const made = await this.#attempt(callbackUrl, { method: 'POST', headers, body: bytes });
      attempts.push(made);
      return made.status === 200;
    };
    // What the upstream did not sign, it did not send: nobody repeats it.
    if (!(await attempt()) && signature === 'valid') this.#repeat(attempt).catch(ignoreAbort);
    return sent;
  }

  /** Ends what is under way. */
  close(): void {
    this.#stopping.abort();
  }

  async #repeat(attempt: () => Promise<boolean>): Promise<void> {
    for (const pause of this.#options.retryMs) {
      await sleep(pause, undefined, { signal: this.#stopping.signal });
      if (await attempt()) return;
    }
  }

  async #attempt(url: string, init: RequestInit): Promise<Attempt> {
    const at = new Date(this.#options.now()).toISOString();
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]);
    const headers = { 'user-agent': 'facebookexternalua', ...init.headers };
    try {
      const response = await fetch(url, { ...init, headers, redirect: 'manual', signal });
      return { at, status: response.status, answer: (await response.text()).slice(0, answerLength) };
    } catch (error) {
      return { at, status: null, answer: reasonOf(error) };
    }
  }

  #signatureHeader(bytes: Buffer, signature: Signing): Record<string, string> {
    if (signature === 'missing') return {};
    const secret = signature === 'valid' ? this.#options.appSecret : `not ${this.#options.appSecret}`;
    return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}` };
  }

  #record(sent: SentWebhook): void {
    this.#sent.push(sent);
    if (this.#sent.length > keptWebhooks) this.#sent.shift();
  }
}

/** The upstream writes JSON in ASCII, with lower-case escapes, and signs that. */
function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** `fetch` hides why a connection failed in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) };
  return cause instanceof Error ? cause.message : message;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
