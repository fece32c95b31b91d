import { sendMessage } from './explain-message-error.ts';
import type { Message, SentMessage, UpstreamMessages } from './messages-graph.ts';
import { isReadReceipt } from './recipient.ts';
import { isFlowMessage, type SendFlowContext, type Sending, sendFlow } from './send-flow.ts';

/** Does what the body of a request for messages asks for: sends a message, or marks one as read. */
export async function sendRequest(
  body: Message,
  sending: Sending & { upstream: Pick<UpstreamMessages, 'send' | 'markRead'> },
  context: SendFlowContext,
): Promise<SentMessage | { success: true }> {
  const { number, upstream } = sending;
  if (isFlowMessage(body)) return sendFlow(body, sending, context);
  if (!isReadReceipt(body)) return sendMessage(upstream, number.phone_number_id, body);
  await upstream.markRead(number.phone_number_id, body);
  return { success: true };
}
