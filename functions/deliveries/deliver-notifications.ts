import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { breakers, deliveries, random, readPayload, schedule, sender, targets } from '#functions/webhooks/compose.ts';
import { describeError, log, withLogContext } from '#shared/base/logger.ts';
import { updateBreakers } from '#shared/delivery/attempt.ts';
import { deliver, newBatch } from '#shared/delivery/deliver.ts';
import type { DeliveryContext, ProcessContext } from '#shared/delivery/delivery-context.ts';
import { drain } from '#shared/delivery/drain.ts';
import { idsOf, parseMessage, type QueueMessage, requeue } from '#shared/delivery/notification.ts';
import { queue, timeoutMs } from '#shared/operations/compose.ts';
import { run } from '#shared/operations/serve.ts';
import { isTransient, secretsFor } from './compose.ts';
import { deliverNotifications as definition } from './contracts.ts';

/** Delay before a message that the store could not serve is handled again, plus or minus half. */
const postponedSeconds = 4;

/**
 * Delivers the messages of a batch in parallel. Only a fault of ours returns a message to the queue; a receiver's
 * failure is recorded with the delivery instead.
 */
export const makeHandler =
  (processContext: ProcessContext) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const context = newBatch(processContext);
    const handled = await Promise.all(Records.map((record) => handle(record, context)));
    await updateBreakers(context);
    const failed = Records.filter((_, index) => !handled[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

export const start = run(definition, makeHandler, {
  deliveries,
  targets,
  breakers,
  secretsFor,
  queue,
  sender,
  readPayload,
  schedule,
  timeoutMs,
  isTransient,
  random,
});

/** Returns whether the queue may delete the message. */
function handle({ body, messageId }: SQSRecord, context: DeliveryContext): Promise<boolean> {
  const message = parseMessage(body);
  const ids = message instanceof Error ? {} : idsOf(message);
  return withLogContext({ message: messageId, ...ids }, async () => {
    try {
      if (message instanceof Error) throw message;
      await handleOrPostpone(message, context);
      return true;
    } catch (error) {
      log('error', 'delivery.failed', describeError(error));
      return false;
    }
  });
}

/**
 * Does what a message says. If other requests keep the store from it, the message is queued again with a delay, so that
 * the queue does not count a failed receive.
 */
async function handleOrPostpone(message: QueueMessage, context: DeliveryContext): Promise<void> {
  try {
    await (message.task === 'drain' ? drain(message, context) : deliver(message, context));
  } catch (error) {
    if (!context.isTransient(error)) throw error;
    log('warn', 'delivery.postponed', { error: error.name });
    await requeue(message, postponedSeconds * (0.5 + context.random()), context);
  }
}
