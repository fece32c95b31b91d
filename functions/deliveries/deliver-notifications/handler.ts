import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { withLogContext } from '#shared/base/log/log-context.ts';
import { describeError, log } from '#shared/base/log/logger.ts';
import type { DeliveryContext, ProcessContext } from '#shared/domain/attempts/context.ts';
import { handleMessage } from '#shared/domain/attempts/handle-message.ts';
import { idsOf, parseMessage } from '#shared/domain/deliveries/message.ts';
import { isTransient, schedule, settings, slowTargets, streaks } from '#shared/runtime/providers/attempts.ts';
import { sender, timeoutMs } from '#shared/runtime/providers/egress.ts';
import { random } from '#shared/runtime/providers/environment.ts';
import { readPayload } from '#shared/runtime/providers/files.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { breakers, deliveries, targets } from '#shared/runtime/providers/stores.ts';
import { run } from '#shared/runtime/serve.ts';
import { definition } from './definition.ts';

/**
 * Delivers the messages of a batch in parallel. Only a fault of ours returns a message to the queue; a receiver's
 * failure is recorded with the delivery instead.
 */
export const makeHandler =
  (processContext: ProcessContext) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const context = {
      ...processContext,
      settings: processContext.settings.forBatch(),
      slowTargets: processContext.slowTargets.forBatch(),
    };
    const handled = await Promise.all(Records.map((record) => handle(record, context)));
    const failed = Records.filter((_, index) => !handled[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

export const handler = run(definition, makeHandler, {
  deliveries,
  targets,
  breakers,
  settings,
  slowTargets,
  streaks,
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
      await handleMessage(message, context);
      return true;
    } catch (error) {
      log('error', 'delivery.failed', describeError(error));
      return false;
    }
  });
}
