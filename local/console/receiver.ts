import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Table } from '#shared/aws/table.ts';
import { nameOf, type Target } from '#shared/webhooks/subscriber.ts';
import { secretStore } from '#shared/webhooks/subscriber-store.ts';
import { type SubscriberSecrets, secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { readBody } from '../aws/base/http/read-body.ts';
import { type SignatureState, signatureStateOf } from './signature-state.ts';
import type { Stream } from './stream.ts';

/** How the receiver responds: at once or after a time, with any status, or not at all. */
export const behaviourSchema = z.strictObject({
  responds: z.boolean(),
  status: z.int().check(z.gte(200), z.lte(599)),
  delay_ms: z.int().check(z.gte(0), z.lte(60_000)),
});

export type Behaviour = z.infer<typeof behaviourSchema>;

/** A webhook as it arrived at the built-in receiver. */
export interface ReceivedWebhook {
  readonly id: string;
  /** The delivery, which is the same in every attempt. */
  readonly delivery: string | null;
  readonly subscriber: string;
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text, exactly as it came. */
  readonly body: string;
  readonly bytes: number;
  readonly signature: SignatureState;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
}

const maxBodyBytes = 8 * 1024 * 1024;
const keptWebhooks = 300;

/** Receives webhooks at `/receiver/{subscriber}/{target}` and shows them in the console. */
export class BuiltInReceiver {
  behaviour: Behaviour = { responds: true, status: 200, delay_ms: 0 };
  readonly #secrets: ReturnType<typeof secretStore>;
  readonly #publish: Stream['publish'];
  readonly #loggedBody: (delivery: string) => Promise<string | null | undefined>;
  readonly #received: ReceivedWebhook[] = [];
  readonly #waiting = new Set<ServerResponse>();
  readonly #stopping = new AbortController();

  /** `loggedBody` finds what the delivery log keeps of a notification. */
  constructor(
    table: Table,
    publish: Stream['publish'],
    loggedBody: (delivery: string) => Promise<string | null | undefined>,
  ) {
    this.#loggedBody = loggedBody;
    this.#secrets = secretStore(table);
    this.#publish = publish;
  }

  /** Oldest first. */
  get received(): readonly ReceivedWebhook[] {
    return this.#received;
  }

  async receive(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , subscriber = '', target = ''] = path.split('/');
    const { responds, status, delay_ms } = this.behaviour;
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) {
      response.writeHead(413).end();
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    );
    const delivery = headers['webhook-id'] ?? null;
    const signature = await signatureStateOf({
      headers,
      body,
      secrets: signingSecretsOf(await this.#secrets.get(subscriber), target),
      loggedBody: async () => (delivery === null ? undefined : this.#loggedBody(delivery)),
      now: Date.now(),
    });
    this.#keep({
      id: randomUUID(),
      delivery,
      subscriber,
      target,
      at: Date.now(),
      headers,
      body: body.toString('utf8'),
      bytes: body.length,
      signature,
      status: responds ? status : null,
    });
    if (!responds) {
      this.#waiting.add(response);
      response.once('close', () => this.#waiting.delete(response));
      return;
    }
    if (delay_ms > 0) await sleep(delay_ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    if (!response.destroyed) response.writeHead(status).end();
  }

  close(): void {
    this.#stopping.abort();
    for (const response of this.#waiting) response.destroy();
  }

  #keep(webhook: ReceivedWebhook): void {
    this.#received.push(webhook);
    this.#publish('received', webhook.id, webhook);
    const oldest = this.#received.length > keptWebhooks ? this.#received.shift() : undefined;
    if (oldest) this.#publish('received', oldest.id, undefined);
  }
}

/** A target with a name of its own has signing secrets of its own; all others of a subscriber share some. */
function signingSecretsOf(secrets: SubscriberSecrets | undefined, name: string) {
  const own = (Object.keys(secrets?.targets ?? {}) as Target[]).find((target) => nameOf(target) === name);
  return secrets && own ? secretsOf(secrets, own) : secrets;
}
