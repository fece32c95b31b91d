import { UpstreamError } from '../errors/upstream-error.ts';
import type { Message, SentMessage, UpstreamMessages } from './upstream-messages.ts';

/** Sends a message. An error whose outcome is unknown says that the message may have been sent. */
export async function sendMessage(
  upstream: Pick<UpstreamMessages, 'send'>,
  phoneNumberId: string,
  message: Message,
): Promise<SentMessage> {
  try {
    return await upstream.send(phoneNumberId, message);
  } catch (error) {
    if (!(error instanceof UpstreamError) || !error.outcomeIsUnknown) throw error;
    throw error.explained({ meaning: { code: 'message.outcome-unknown' } });
  }
}
