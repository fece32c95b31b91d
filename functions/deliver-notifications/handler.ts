import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { isThrottled } from '#shared/adapters/dynamodb/throttled.ts';
import { describeError, log } from '#shared/base/logger.ts';
import type { ConsumerContext, DeliveryContext } from '#shared/domain/deliveries/context.ts';
import { deliver } from '#shared/domain/deliveries/deliver.ts';
import { drain } from '#shared/domain/deliveries/drain.ts';
import { parseMessage, type QueueMessage } from '#shared/domain/deliveries/message.ts';
import { timeoutMs } from '#shared/runtime/providers/attempt-timeout.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { settings } from '#shared/runtime/providers/known-settings.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { random } from '#shared/runtime/providers/random.ts';
import { readPayload } from '#shared/runtime/providers/read-payload.ts';
import { schedule } from '#shared/runtime/providers/retry-schedule.ts';
import { sender } from '#shared/runtime/providers/sender.ts';
import { slowTargets } from '#shared/runtime/providers/slow-targets.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { run } from '#shared/runtime/serve.ts';
import { definition } from './definition.ts';

/** Delay before a throttled message is handled again, plus or minus half. */
const throttledSeconds = 4;

/**
 * Delivers the messages of a batch in parallel. Only a fault of ours returns a message to the queue; a receiver's
 * failure is recorded with the delivery instead.
 */
export const makeHandler =
  (consumer: ConsumerContext) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const context = {
      ...consumer,
      settings: consumer.settings.forBatch(),
      slowTargets: consumer.slowTargets.forBatch(),
    };
    const handled = await Promise.all(Records.map((record) => handle(record, context)));
    const failed = Records.filter((_, index) => !handled[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

export const handler = run(definition, makeHandler, {
  deliveries,
  targets,
  settings,
  slowTargets,
  queue,
  sender,
  readPayload,
  schedule,
  timeoutMs,
  random,
});

/** Returns whether the queue may delete the message. */
async function handle({ body, messageId }: SQSRecord, context: DeliveryContext): Promise<boolean> {
  try {
    const message = parseMessage(body);
    await carryOut(message, context);
    return true;
  } catch (error) {
    log('error', 'delivery.failed', { message: messageId, ...describeError(error) });
    return false;
  }
}

/**
 * Queues a message again, with a delay, when DynamoDB throttles it, so that the queue does not count a failed receive.
 */
async function carryOut(message: QueueMessage, context: DeliveryContext): Promise<void> {
  try {
    await (message.do === 'drain' ? drain(message, context) : deliver(message, context));
  } catch (error) {
    if (!isThrottled(error)) throw error;
    log('warn', 'delivery.throttled', { number: message.number });
    await context.queue.send([{ message, delaySeconds: throttledSeconds * (0.5 + context.random()) }]);
  }
}
