import * as z from 'zod/mini';
import { acknowledged, type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

/** A message in the upstream's form, without the members that every request has. */
export type Message = Readonly<Record<string, unknown>>;

const sent = z.object({
  messages: z.array(z.looseObject({ id: z.string() })).check(z.minLength(1)),
  // The recipient, as the request named it and as the platform knows it. The message is out, whatever else the response says.
  contacts: z.catch(z.array(z.looseObject({})), []),
});

/** The upstream's response to a message that it accepted. It may have further members. */
export type SentMessage = z.output<typeof sent>;

export type UpstreamMessages = ReturnType<typeof upstreamMessages>;

/** The messages of phone numbers (Meta, "Messages API" and "Marketing Messages API for WhatsApp"). Every method throws `UpstreamError` on failure. */
export function upstreamMessages(call: GraphClient) {
  const post = (phoneNumberId: string, message: Message, edge = 'messages') =>
    call({
      method: 'POST',
      path: `${encodeURIComponent(phoneNumberId)}/${edge}`,
      json: { ...message, messaging_product: 'whatsapp' },
    });

  return {
    /** Sends a message, once. */
    async send(phoneNumberId: string, message: Message): Promise<SentMessage> {
      return parseResponse(sent, await post(phoneNumberId, message));
    },

    /** Sends a marketing template by the upstream's own route for them, once. */
    async sendMarketing(phoneNumberId: string, message: Message): Promise<SentMessage> {
      // Unlike `messages`, this edge demands the type of the recipient.
      const addressed = { recipient_type: 'individual', ...message };
      return parseResponse(sent, await post(phoneNumberId, addressed, 'marketing_messages'));
    },

    /** Marks a received message as read and, if the receipt says so, shows that the number is typing. */
    async markRead(phoneNumberId: string, receipt: Message): Promise<void> {
      acknowledged(await post(phoneNumberId, receipt));
    },
  };
}
