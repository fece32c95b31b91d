import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { ConsumerContext, DeliveryContext } from '../../shared/deliveries/context.ts';
import { deliver } from '../../shared/deliveries/deliver.ts';
import { drain } from '../../shared/deliveries/drain.ts';
import { parseMessage } from '../../shared/deliveries/message.ts';
import { deliveryRuntime } from '../../shared/deliveries/runtime.ts';
import { describeError, log } from '../../shared/logger.ts';

/**
 * Delivers a batch side by side. A message is given back to the queue only for a fault of ours; what a receiver answers
 * is recorded and never a reason.
 */
export const makeHandler =
  (consumer: ConsumerContext) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const context = { ...consumer, settings: consumer.settings.forBatch() };
    const handled = await Promise.all(Records.map((record) => handle(record, context)));
    const failed = Records.filter((_, index) => !handled[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

export const handler = makeHandler(deliveryRuntime());

/** Whether it is done with. */
async function handle({ body, messageId }: SQSRecord, context: DeliveryContext): Promise<boolean> {
  try {
    const message = parseMessage(body);
    await (message.do === 'drain' ? drain(message, context) : deliver(message, context));
    return true;
  } catch (error) {
    log('error', 'delivery.failed', { message: messageId, ...describeError(error) });
    return false;
  }
}
