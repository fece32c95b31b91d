import * as z from 'zod/mini';
import { isRawNumber, toDouble } from '#shared/base/json/exact-json.ts';
import type { JsonObject } from '#shared/base/json/json-object.ts';
import { isReadReceipt } from '#shared/domain/messages/message-faults.ts';
import { normalPhoneNumber } from '#shared/domain/messages/phone-number.ts';
import { expirySeconds, maxCharacters } from '#shared/domain/sent-flows/limits.ts';
import { callbackData, contactUserId } from '../calls/contact-schemas.ts';
import { textUpTo } from '../contract/schemas.ts';

const to = z.string();
z.globalRegistry.add(to, { pattern: '^[ -~]{1,512}$', examples: ['+15550100999', '+1 (555) 010-0999'] });

const notBlank = z.refine<string>((text) => text.trim() !== '', { params: { rule: 'required' } });

/** A name or an id in the upstream's form. */
const filled = z.string().check(notBlank);
z.globalRegistry.add(filled, { minLength: 1 });

const wellFormed = z.refine<string>((text) => text.isWellFormed(), { params: { rule: 'well_formed' } });

/** A text that the contact sees, with at most this many characters. */
function shownUpTo(max: number, ...checks: z.core.$ZodCheck<string>[]) {
  const text = textUpTo(max, notBlank, wellFormed, ...checks);
  z.globalRegistry.add(text, { minLength: 1, maxLength: max });
  return text;
}

/** Emoji, also those that are shown as text without a variation selector, but no digits and no trade marks. */
const emoji = /\p{Emoji_Presentation}|(?![©®™])\p{Extended_Pictographic}|\ufe0f/u;

/** The platform rejects emoji in the text of the button. */
const noEmoji = z.refine<string>((text) => !emoji.test(text), { params: { rule: 'no_emoji' } });

/** An integer in any of its written forms: `3600`, `3600.0`, `3.6e3`. */
function integerBetween({ min, max }: { min: number; max: number }) {
  const double = z.transform((value) => (isRawNumber(value) ? toDouble(value) : value));
  const integer = z.pipe(double, z.int().check(z.gte(min), z.lte(max)));
  z.globalRegistry.add(integer, { type: 'integer', minimum: min, maximum: max });
  return integer;
}

/** A Flow that is sent by our id. */
const flowContent = z.strictObject({
  flow: z.uuid().check(z.toLowerCase()),
  cta: shownUpTo(maxCharacters.cta, noEmoji),
  body: shownUpTo(maxCharacters.body),
  header: z.optional(shownUpTo(maxCharacters.header)),
  footer: z.optional(shownUpTo(maxCharacters.footer)),
  screen: z.optional(z.string()),
  data: z.optional(z.looseObject({})),
  mode: z.optional(z.enum(['draft', 'published'])),
  expires_in: z.optional(integerBetween(expirySeconds)),
});
z.globalRegistry.add(flowContent, { id: 'FlowContent' });

/** Whatever sends, stores or compares the recipient sees it in its normal form. */
const normalRecipient = z.overwrite<{ to?: string | undefined; recipient_type?: string | undefined }>((message) =>
  message.to === undefined || message.recipient_type === 'group'
    ? message
    : { ...message, to: normalPhoneNumber(message.to) },
);

/** What every message has, whatever its type. */
const common = {
  to: z.optional(to),
  recipient: z.optional(contactUserId),
  recipient_type: z.optional(z.string()),
  context: z.optional(z.looseObject({ message_id: z.optional(z.string()) })),
  biz_opaque_callback_data: z.optional(callbackData),
};

/** A message that sends one of our Flows. */
const flowMessage = z.looseObject({ ...common, type: z.literal('flow'), flow: flowContent }).check(normalRecipient);
z.globalRegistry.add(flowMessage, { id: 'FlowMessage' });

const otherType = z.string().check(notBlank);
z.globalRegistry.add(otherType, { minLength: 1, not: { const: 'flow' } });

/** What a message is about if it may be sent without a template outside the window (Meta, "Direct Send"). */
const category = z.enum(['utility', 'authentication']);

/** Any other message, in the upstream's form. The service checks only what it must and passes on the rest. */
const platformMessage = z
  .looseObject({ ...common, type: otherType, category: z.optional(category) })
  .check(normalRecipient);
z.globalRegistry.add(platformMessage, { id: 'PlatformMessage' });

const readReceipt = z.looseObject({
  status: z.literal('read'),
  message_id: filled,
  typing_indicator: z.optional(z.looseObject({ type: z.optional(z.string()) })),
});
z.globalRegistry.add(readReceipt, { id: 'ReadReceipt' });

export const messageRequest = z.union([platformMessage, flowMessage, readReceipt]);
z.globalRegistry.add(messageRequest, { id: 'MessageRequest' });

/** The schema of the kind of body that the client meant. */
export function messageForm(body: JsonObject) {
  if (isReadReceipt(body)) return readReceipt;
  return body.type === 'flow' ? flowMessage : platformMessage;
}

/** A marketing template for the upstream's own route. `to` cannot be a group (Meta, "Send Marketing Messages"). */
export const marketingMessage = z
  .looseObject({
    ...common,
    recipient_type: z.optional(z.literal('individual')),
    type: z.literal('template'),
    template: z.looseObject({ name: filled }),
    product_policy: z.optional(z.enum(['CLOUD_API_FALLBACK', 'STRICT'])),
    message_activity_sharing: z.optional(z.boolean()),
  })
  .check(normalRecipient);
z.globalRegistry.add(marketingMessage, { id: 'MarketingMessage' });

export const sentMessage = z.object({
  messages: z.array(z.looseObject({ id: z.string() })),
  contacts: z.array(z.looseObject({})),
});
z.globalRegistry.add(sentMessage, { id: 'SentMessage' });

export const messageResponse = z.union([sentMessage, z.object({ success: z.boolean() })]);
