import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliveryContext } from '../../shared/deliveries/context.ts';
import { deliver } from '../../shared/deliveries/deliver.ts';
import { drain } from '../../shared/deliveries/drain.ts';
import { parseMessage } from '../../shared/deliveries/message.ts';
import { deliveryRuntime } from '../../shared/deliveries/runtime.ts';
import { describeError, log } from '../../shared/logger.ts';

/**
 * Delivers a batch side by side. A message is given back to the queue only for a fault of ours, or while somebody else
 * is sending its delivery; what a receiver answers is recorded and never a reason.
 */
export const makeHandler =
  (context: DeliveryContext) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.all(Records.map((record) => handle(record, context)));
    const givenBack = Records.filter((_, index) => outcomes[index] === 'later');
    return { batchItemFailures: givenBack.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

export const handler = makeHandler(deliveryRuntime());

async function handle({ body, messageId }: SQSRecord, context: DeliveryContext): Promise<'done' | 'later'> {
  try {
    const message = parseMessage(body);
    if (message.do !== 'drain') return await deliver(message, context);
    await drain(message, context);
    return 'done';
  } catch (error) {
    log('error', 'delivery.failed', { message: messageId, ...describeError(error) });
    return 'later';
  }
}
