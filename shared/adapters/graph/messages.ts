import * as z from 'zod/mini';
import type { Message, UpstreamMessages } from '#shared/domain/messages/upstream-messages.ts';
import type { GraphClient } from './graph-client.ts';
import { acknowledged, parseResponse } from './graph-response.ts';

const sent = z.object({
  messages: z.array(z.looseObject({ id: z.string() })).check(z.minLength(1)),
  // The message is out, whatever else the response says.
  contacts: z.catch(z.array(z.looseObject({})), []),
});

/** The messages of phone numbers (Meta, "Messages API" and "Marketing Messages API for WhatsApp"). Every method throws `UpstreamError` on failure. */
export function upstreamMessages(call: GraphClient): UpstreamMessages {
  const post = (phoneNumberId: string, message: Message, edge = 'messages') =>
    call({
      method: 'POST',
      path: `${encodeURIComponent(phoneNumberId)}/${edge}`,
      json: { ...message, messaging_product: 'whatsapp' },
    });

  return {
    async send(phoneNumberId, message) {
      return parseResponse(sent, await post(phoneNumberId, message));
    },

    async sendMarketing(phoneNumberId, message) {
      // Unlike `messages`, this edge demands the type of the recipient.
      const addressed = { recipient_type: 'individual', ...message };
      return parseResponse(sent, await post(phoneNumberId, addressed, 'marketing_messages'));
    },

    async markRead(phoneNumberId, receipt) {
      acknowledged(await post(phoneNumberId, receipt));
    },
  };
}
