import { log } from '#shared/base/log/logger.ts';
import type { QueueMessage } from '../deliveries/message.ts';
import type { DeliveryContext } from './context.ts';
import { deliver } from './deliver.ts';
import { drain } from './drain.ts';
import { sendBack } from './send-back.ts';

/** Delay before a throttled message is handled again, plus or minus half. */
const throttledSeconds = 4;

/**
 * Does what a message says. If the store throttles, the message is queued again with a delay, so that the queue does
 * not count a failed receive.
 */
export async function handleMessage(message: QueueMessage, context: DeliveryContext): Promise<void> {
  try {
    await (message.task === 'drain' ? drain(message, context) : deliver(message, context));
  } catch (error) {
    if (!context.isThrottled(error)) throw error;
    log('warn', 'delivery.throttled', { subscriber: message.subscriber });
    await sendBack(message, throttledSeconds * (0.5 + context.random()), context);
  }
}
