import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { withLogContext } from '#shared/base/log/log-context.ts';
import { describeError, log } from '#shared/base/log/logger.ts';
import type { DeliveryContext, ProcessContext } from '#shared/domain/attempts/context.ts';
import { handleMessage } from '#shared/domain/attempts/handle-message.ts';
import { idsOf, parseMessage } from '#shared/domain/deliveries/message.ts';
import { timeoutMs } from '#shared/runtime/providers/attempt-timeout.ts';
import { breakers } from '#shared/runtime/providers/breakers.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { failuresInARow } from '#shared/runtime/providers/failures-in-a-row.ts';
import { isThrottled } from '#shared/runtime/providers/is-throttled.ts';
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
  failuresInARow,
  queue,
  sender,
  readPayload,
  schedule,
  timeoutMs,
  isThrottled,
  random,
});

/** Returns whether the queue may delete the message. */
function handle({ body, messageId }: SQSRecord, context: DeliveryContext): Promise<boolean> {
  return withLogContext({ message: messageId }, () =>
    isHandled(() => {
      const message = parseMessage(body);
      return withLogContext(idsOf(message), () => isHandled(() => handleMessage(message, context).then(() => true)));
    }),
  );
}

async function isHandled(handling: () => Promise<boolean>): Promise<boolean> {
  try {
    return await handling();
  } catch (error) {
    log('error', 'delivery.failed', describeError(error));
    return false;
  }
}
