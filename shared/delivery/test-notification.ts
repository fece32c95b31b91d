import { newId } from '#shared/base/ids.ts';
import { invalidField } from '#shared/base/service-error.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import { headersFor } from '#shared/webhooks/receiver-headers.ts';
import { existingSettings, type PhoneNumber, subscriberNotFound, type Target } from '#shared/webhooks/subscriber.ts';
import type { SecretStore, SubscriberSecrets, TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { type AttemptContext, afterFailure, attemptRecord, isReceived, makeAttempt } from './attempt.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { DeliveryStore } from './delivery-store.ts';

export interface TestContext extends AttemptContext, Pick<DeliveryContext, 'queue' | 'schedule' | 'random'> {
  targets: Pick<TargetStore, 'read'>;
  secrets: Pick<SecretStore, 'get'>;
  deliveries: Pick<DeliveryStore, 'insert'>;
}

export interface TestResult {
  /** The id of the delivery in the log. */
  delivery: string;
  /** Why it failed, in one word: an error class, or `status` for a status other than 200. */
  error?: ErrorClass | 'status';
  result: { success: boolean; status: number | null; duration_ms: number };
}

/**
 * Sends a test message now to a number's `webhook` and, if it is set, to its `secondary_webhook`, and logs it like every
 * delivery. The result is that of `webhook`. A test that fails is retried a few times.
 */
export async function sendTestNotification(number: PhoneNumber, context: TestContext): Promise<TestResult> {
  const { webhook, secondary_webhook } = (await existingSettings(number, context.targets)).targets;
  if (webhook.url === undefined) throw invalidField('webhook', 'url_not_set');
  const secrets = await context.secrets.get(number.id);
  if (!secrets) throw subscriberNotFound(number);
  const id = newId();
  const created_at = context.now();
  const body = JSON.stringify(testMessage(number, id, created_at));
  const test = { number: number.id, body, created_at, secrets, context };
  const [result] = await Promise.all([
    sendTo('webhook', webhook.url, id, test),
    secondary_webhook.url !== undefined && sendTo('secondary_webhook', secondary_webhook.url, newId(), test),
  ]);
  return result;
}

interface Test {
  number: string;
  body: string;
  created_at: number;
  secrets: SubscriberSecrets;
  context: TestContext;
}

async function sendTo(target: Target, url: string, id: string, test: Test): Promise<TestResult> {
  const { number, body, created_at, secrets, context } = test;
  const headers = headersFor(url, secrets.headers[target]);
  const attempt = await makeAttempt({ id, url, body, secrets, headers }, context);
  const record = attemptRecord(attempt, context.now(), { headers });
  const success = isReceived(attempt);
  const delivery = { id, subscriber: number, target, kind: 'test', attempt_count: 0 } as const;
  const { retry, look_after_at, ...outcome } = success
    ? { state: 'delivered' as const, attempt_count: 1 }
    : afterFailure(delivery, attempt, context);
  // Stored first: a message that comes before its delivery does nothing. If the message is lost, the sweep sends another.
  const stored = { ...delivery, payload: { text: body }, ...outcome, attempts: [record], replays: [], created_at };
  await context.deliveries.insert(stored, look_after_at);
  if (retry) await context.queue.send([retry]);
  return {
    delivery: id,
    ...(!success && { error: record.error ?? 'status' }),
    result: { success, status: record.status ?? null, duration_ms: record.duration_ms },
  };
}

/** An incoming text message, as from the number to itself. */
function testMessage({ display_phone_number }: PhoneNumber, id: string, now: number) {
  const sender = display_phone_number.replace(/\D/g, '');
  return {
    contacts: [{ profile: { name: 'Webhook test' }, wa_id: sender }],
    messages: [
      {
        from: sender,
        id: `wamid.test-${id}`,
        timestamp: String(Math.floor(now / 1000)),
        type: 'text',
        text: { body: 'Beep Beep!' },
      },
    ],
  };
}
