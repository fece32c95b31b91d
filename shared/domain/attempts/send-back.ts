import { log } from '#shared/base/log/logger.ts';
import type { QueueMessage } from '../deliveries/message.ts';
import type { DeliveryContext } from './context.ts';

/**
 * After this many returns, the function most likely invokes itself without end. A message for a slow target returns
 * every one to three seconds and gets there after hours; every other message returns a few times.
 */
const recursiveAfter = 5_000;

/**
 * Sends a message again as it is, to be handled later. Lambda does not stop a chain through the queue, because a drain
 * is one, so the messages count their returns themselves.
 */
export async function sendBack(
  message: QueueMessage,
  delaySeconds: number,
  { queue }: Pick<DeliveryContext, 'queue'>,
): Promise<void> {
  const returns = (message.returns ?? 0) + 1;
  if (returns % recursiveAfter === 0) log('error', 'delivery.recursive', { returns });
  await queue.send([{ message: { ...message, returns }, delaySeconds }]);
}
