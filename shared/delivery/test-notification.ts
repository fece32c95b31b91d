import { newId } from '#shared/base/ids.ts';
import { invalidField } from '#shared/base/service-error.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import { metaBody } from '#shared/webhooks/meta-format.ts';
import { headersFor } from '#shared/webhooks/receiver-headers.ts';
import {
  type BuiltInTarget,
  existingSettings,
  type PhoneNumber,
  subscriberNotFound,
  type TargetRecord,
} from '#shared/webhooks/subscriber.ts';
import type { SecretStore, TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { type SubscriberSecrets, secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { type AttemptContext, attemptRecord, isReceived, makeAttempt } from './attempt.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { afterFailure } from './retry-schedule.ts';

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
  const value = testMessage(number, id, created_at);
  const test = { number, value, created_at, secrets, context };
  const [result] = await Promise.all([
    sendTo('webhook', { ...webhook, url: webhook.url }, id, test),
    secondary_webhook.url !== undefined &&
      sendTo('secondary_webhook', { ...secondary_webhook, url: secondary_webhook.url }, newId(), test),
  ]);
  return result;
}

interface Test {
  number: PhoneNumber;
  value: ReturnType<typeof testMessage>;
  created_at: number;
  secrets: SubscriberSecrets;
  context: TestContext;
}

async function sendTo(
  target: BuiltInTarget,
  { url, format }: Pick<TargetRecord, 'format'> & { url: string },
  id: string,
  test: Test,
): Promise<TestResult> {
  const { number, value, created_at, context } = test;
  const secrets = secretsOf(test.secrets, target);
  if (!secrets) throw new Error(`A number always has the secrets of ${target}`);
  const headers = headersFor(url, secrets.headers);
  const body = format === 'meta' ? inMetaFormat(number, value) : JSON.stringify(value);
  const attempt = await makeAttempt({ id, url, format, body, secrets, headers }, context);
  const record = attemptRecord(attempt, context.now(), { headers, secrets });
  const success = isReceived(attempt);
  const delivery = { id, subscriber: number.id, target, kind: 'test', format, attempt_count: 0 } as const;
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

/** The test message as Meta would send it. Its own tests name the business account 0, too. */
function inMetaFormat({ display_phone_number, phone_number_id }: PhoneNumber, message: object): string {
  const metadata = { display_phone_number: display_phone_number.replace(/\D/g, ''), phone_number_id };
  const value = { messaging_product: 'whatsapp', metadata, ...message };
  return String(metaBody({ entry: { id: '0' }, field: 'messages', value }));
}
