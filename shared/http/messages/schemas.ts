import * as z from 'zod/mini';
import { expirySeconds, mostCharacters } from '#shared/domain/sent-flows/limits.ts';
import { callbackData, contactUserId } from '../calls/schemas.ts';

const to = z.string();
z.globalRegistry.add(to, { pattern: '^\\S+$', examples: ['15550100999'] });

const textUpTo = (max: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(max),
    z.refine((text) => text.isWellFormed(), { params: { rule: 'well_formed' } }),
  );

/** The platform rejects emoji in the text of the button. */
const cta = textUpTo(mostCharacters.cta).check(
  z.refine((text) => !/\p{Emoji_Presentation}|\ufe0f/u.test(text), { params: { rule: 'no_emoji' } }),
);

/** A Flow that is sent by our id. */
const flowContent = z.object({
  flow: z.uuid().check(z.toLowerCase()),
  cta,
  body: textUpTo(mostCharacters.body),
  header: z.optional(textUpTo(mostCharacters.header)),
  footer: z.optional(textUpTo(mostCharacters.footer)),
  screen: z.optional(z.string()),
  data: z.optional(z.looseObject({})),
  mode: z.optional(z.enum(['draft', 'published'])),
  expires_in: z.optional(z.int().check(z.gte(expirySeconds.least), z.lte(expirySeconds.most))),
});
z.globalRegistry.add(flowContent, { id: 'FlowMessage' });

/** The upstream's own body. What the service does not know passes through, so it checks only what it must. */
export const messageRequest = z.looseObject({
  to: z.optional(to),
  recipient: z.optional(contactUserId),
  recipient_type: z.optional(z.string()),
  type: z.optional(z.string()),
  context: z.optional(z.looseObject({ message_id: z.optional(z.string()) })),
  biz_opaque_callback_data: z.optional(callbackData),
  flow: z.optional(flowContent),
  status: z.optional(z.literal('read')),
  message_id: z.optional(z.string()),
  typing_indicator: z.optional(z.looseObject({ type: z.optional(z.string()) })),
});
z.globalRegistry.add(messageRequest, { id: 'MessageRequest' });

const sentMessage = z.object({
  messages: z.array(z.looseObject({ id: z.string() })),
  contacts: z.array(z.looseObject({})),
});
z.globalRegistry.add(sentMessage, { id: 'SentMessage' });

export const messageResponse = z.union([sentMessage, z.object({ success: z.boolean() })]);
