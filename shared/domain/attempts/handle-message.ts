import { log } from '#shared/base/log/logger.ts';
import type { QueueMessage } from '../deliveries/message.ts';
import type { DeliveryContext } from './context.ts';
import { deliver } from './deliver.ts';
import { drain } from './drain.ts';
import { sendBack } from './send-back.ts';

/** Delay before a message that the store could not serve is handled again, plus or minus half. */
const postponedSeconds = 4;

/**
 * Does what a message says. If other requests keep the store from it, the message is queued again with a delay, so that
 * the queue does not count a failed receive.
 */
export async function handleMessage(message: QueueMessage, context: DeliveryContext): Promise<void> {
  try {
    await (message.task === 'drain' ? drain(message, context) : deliver(message, context));
  } catch (error) {
    if (!context.isTransient(error)) throw error;
    log('warn', 'delivery.postponed', { error: error.name });
    await sendBack(message, postponedSeconds * (0.5 + context.random()), context);
  }
}
