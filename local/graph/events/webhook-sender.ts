import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../core/platform.ts';
import { signatureHeader } from '../http/http.ts';
import { envelopeOf } from './envelope.ts';

interface Attempt {
  readonly at: string;
  /** Null if there was no response. */
  readonly status: number | null;
  /** The start of the response's body, or the reason why there was none. */
  readonly answer: string;
}

/** A webhook and its attempts. Each attempt is added when it is made. */
export interface SentWebhook {
  readonly id: string;
  readonly callback_url: string;
  readonly body: unknown;
  readonly attempts: readonly Attempt[];
}

export interface WebhookSenderOptions {
  readonly appSecret: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The pauses between attempts, in milliseconds. The real upstream retries for days. */
  readonly retryMs: readonly number[];
  /** Hears of a webhook before its first attempt and after each one. */
  readonly onSent?: (webhook: SentWebhook) => void;
}

/** How a callback responded to the handshake instead of with the challenge. */
export interface HandshakeFault {
  /** Null if there was no response. */
  readonly status: number | null;
  /** The start of the response's body, or the reason why there was none. */
  readonly answer: string;
  readonly challenge: string;
}

const keptWebhooks = 1000;
const timeoutMs = 10_000;
const keptResponseLength = 1000;

/** Sends webhooks as the upstream does: it signs the bytes that it sends, and retries until the response is a 200. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #sent: SentWebhook[] = [];
  readonly #stopping = new AbortController();
  #announced: Promise<unknown> = Promise.resolve();

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /** The latest webhooks, oldest first. */
  get sent(): readonly SentWebhook[] {
    return this.#sent;
  }

  /** Asks a callback whether it wants events. Returns what it did wrong, if anything. */
  async handshake(callbackUrl: string, verifyToken: string): Promise<HandshakeFault | undefined> {
    const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
    const url = new URL(callbackUrl);
    url.searchParams.set('hub.mode', 'subscribe');
    url.searchParams.set('hub.challenge', challenge);
    url.searchParams.set('hub.verify_token', verifyToken);
    const { status, answer } = await this.#attempt(url.href, {});
    return status === 200 && answer === challenge ? undefined : { status, answer, challenge };
  }

  /** Sends an event in the background, one after another. */
  announce(callbackUrl: string, change: Change): void {
    const envelope = envelopeOf([change], this.#options.now());
    this.#announced = this.#announced.then(() => this.send(callbackUrl, envelope));
  }

  /** Sends any body. Resolves after the first attempt. Retries go on in the background. */
  async send(callbackUrl: string, body: unknown): Promise<SentWebhook> {
    const bytes = Buffer.from(escapeNonAscii(JSON.stringify(body)));
    const headers = { 'content-type': 'application/json', ...signatureHeader(bytes, this.#options.appSecret()) };
    const attempts: Attempt[] = [];
    const sent: SentWebhook = { id: randomUUID(), callback_url: callbackUrl, body, attempts };
    this.#record(sent);

    const attempt = async () => {
      const attempt = await this.#attempt(callbackUrl, { method: 'POST', headers, body: bytes });
      attempts.push(attempt);
      this.#options.onSent?.(sent);
      return attempt.status === 200;
    };
    if (!(await attempt())) this.#repeat(attempt).catch(ignoreAbort);
    return sent;
  }

  /** Ends the attempts in progress. */
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
      return { at, status: response.status, answer: (await response.text()).slice(0, keptResponseLength) };
    } catch (error) {
      return { at, status: null, answer: reasonOf(error) };
    }
  }

  #record(sent: SentWebhook): void {
    this.#sent.push(sent);
    if (this.#sent.length > keptWebhooks) this.#sent.shift();
    this.#options.onSent?.(sent);
  }
}

/** The upstream writes JSON in ASCII with lower-case escapes, and signs those bytes. */
function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The reason for a failed connection is in the `cause` of `fetch`'s error. */
function reasonOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) };
  return cause instanceof Error ? cause.message : message;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
