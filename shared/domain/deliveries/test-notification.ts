import { newId } from '#shared/base/ids.ts';
import { invalidField } from '#shared/domain/errors/invalid-fields.ts';
import type { PhoneNumber } from '../accounts/number.ts';
import type { ErrorClass } from '../egress/sender.ts';
import { type AttemptContext, attemptRecord, isReceived, makeAttempt } from './attempt.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { headersFor } from './receiver-headers.ts';
import type { TargetStore } from './target-store.ts';

export interface TestContext extends AttemptContext {
  targets: Pick<TargetStore, 'read'>;
  deliveries: Pick<DeliveryStore, 'insert'>;
}

export interface TestResult {
  /** The id of the delivery in the log. */
  delivery: string;
  /** Why it failed, in one word: an error class, or `status` for a status other than 200. */
  error?: ErrorClass | 'status';
  result: { success: boolean; status: number | null; duration_ms: number };
}

/** Sends a number's webhook a test message now, once, and logs it like every delivery. */
export async function sendTestNotification(number: PhoneNumber, context: TestContext): Promise<TestResult> {
  const settings = await context.targets.read(number.id);
  const url = settings?.subscriber.webhook;
  if (settings === undefined || url === undefined) throw invalidField('webhook', 'url_not_set');

  const id = newId();
  const created_at = context.now();
  const body = JSON.stringify(testMessage(number, id, created_at));
  const headers = headersFor(settings, 'webhook');
  const attempt = await makeAttempt({ id, url, body, secrets: settings.secrets, headers }, context);
  const record = attemptRecord(attempt, context.now(), { headers });
  const success = isReceived(attempt);
  await context.deliveries.insert({
    id,
    number: number.id,
    target: 'webhook',
    kind: 'test',
    payload: { text: body },
    state: success ? 'delivered' : 'exhausted',
    attempt_count: 1,
    attempts: [record],
    replays: [],
    created_at,
  });
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
