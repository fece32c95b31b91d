import { UpstreamError } from '#shared/base/upstream-error.ts';
import { explainWith, type LoadExplain, textsOf } from '#shared/http/error-entry.ts';
import type { Message, SentMessage, UpstreamMessages } from './messages-graph.ts';

export const explainMessageError: LoadExplain = async () => {
  const { messageErrorTexts, outcomeUnknown } = await import('#shared/messages/message-error-texts.ts');
  return explainWith(textsOf('message', { ...messageErrorTexts, 'outcome-unknown': outcomeUnknown }));
};

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
