import * as z from 'zod/mini';
import { isRawNumber, type JsonObject, toDouble } from '#shared/base/json.ts';
import { dayMs, minuteMs } from '#shared/base/time.ts';
import { describeComponent, describeMembers, textUpTo } from '#shared/http/members.ts';
import { callbackData, contactUserId, isReadReceipt, normalPhoneNumber } from './recipient.ts';

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

/** How long a flow token is accepted, in seconds. */
export const expirySeconds = { min: minuteMs / 1000, max: (30 * dayMs) / 1000 };

/** The maximum number of characters in the texts in a Flow message (Meta's page "Sending a Flow"). */
const maxCharacters = { cta: 20, body: 1024, header: 60, footer: 60 };

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
/* @__PURE__ */ describeComponent('FlowContent', flowContent, () => ({
  flow: 'Id of the Flow. It must be published, or a draft with `mode` `draft`.',
  cta: 'The text of the button that opens the Flow, without emoji.',
  body: 'The text of the message.',
  header: 'A title above the text.',
  footer: 'A line below the text.',
  screen:
    'The screen on which the Flow opens. By default the endpoint of the Flow names it; without an endpoint, it is the first screen.',
  data: 'The data for that screen, as its `data` in the Flow JSON declares it.',
  mode: '`draft` to try out a draft; `published` by default.',
  expires_in:
    'How many seconds the `flow_token` of the message is accepted in requests to the endpoint; 30 days by default.',
}));

/** The content of a message that sends a Flow, as the client wrote it. */
export type FlowContent = z.output<typeof flowContent>;

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

const commonTexts = () => ({
  to: 'The phone number of the contact with its country code: a plus sign and 7 to 15 digits, which may have spaces, hyphens and parentheses between them. The platform gets `+` and digits. Up to 20 bare digits stay as they are; the platform may put the calling code of your own number before them. With `recipient_type` `group`, the id of a group. Required if `recipient` is absent. If both are present, the platform uses `to`.',
  recipient: 'The user id of the contact, instead of `to`. A user id in `to` is rejected.',
  recipient_type: '`group` if `to` is the id of a group, otherwise `individual`, the default.',
  context: 'The message that this one replies to.',
  'context.message_id': 'Id of that message.',
  biz_opaque_callback_data: 'Any text. It returns in the statuses of the message.',
});

/** A message that sends one of our Flows. */
const flowMessage = z.looseObject({ ...common, type: z.literal('flow'), flow: flowContent }).check(normalRecipient);
/* @__PURE__ */ describeComponent('FlowMessage', flowMessage, () => ({
  ...commonTexts(),
  type: 'Sends a Flow of the workspace by its id.',
  flow: 'The Flow and the texts of the message.',
}));

const otherType = z.string().check(notBlank);
z.globalRegistry.add(otherType, { minLength: 1, not: { const: 'flow' } });

/** What a message is about if it may be sent without a template outside the window (Meta, "Direct Send"). */
const category = z.enum(['utility', 'authentication']);

/** Any other message, in the upstream's form. The service checks only what it must and passes on the rest. */
const platformMessage = z
  .looseObject({ ...common, type: otherType, category: z.optional(category) })
  .check(normalRecipient);
/* @__PURE__ */ describeComponent('PlatformMessage', platformMessage, () => ({
  ...commonTexts(),
  type: 'The type of the message. The member of this name has the content: `text`, `template`, `interactive`.',
  category:
    'Sends a text or an interactive message outside the 24-hour window without a template: `utility`, or `authentication` if the platform permits it.',
}));

const readReceipt = z.looseObject({
  status: z.literal('read'),
  message_id: filled,
  typing_indicator: z.optional(z.looseObject({ type: z.optional(z.string()) })),
});
/* @__PURE__ */ describeComponent('ReadReceipt', readReceipt, () => ({
  status: 'Marks a received message as read. Such a request has no recipient and no `type`.',
  message_id: 'Id of the message to mark as read.',
  typing_indicator: 'Shows the contact that you are typing, until you send a message, but for 25 seconds at most.',
  'typing_indicator.type': 'Always `text`.',
}));

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
/* @__PURE__ */ describeComponent('MarketingMessage', marketingMessage, () => ({
  ...commonTexts(),
  type: 'Always `template`.',
  template: 'The template, which has the category marketing: `name`, `language`, `components`.',
  'template.name': 'The name of the template.',
  product_policy:
    '`STRICT`: the message fails if the account cannot send it as a marketing message. `CLOUD_API_FALLBACK`, the default: it is then sent as an ordinary message.',
  message_activity_sharing:
    'Whether Meta may use what the contact does with the message. Replaces the setting of the account.',
}));

export const sentMessage = z.object({
  messages: z.array(z.looseObject({ id: z.string() })),
  contacts: z.array(z.looseObject({})),
});
/* @__PURE__ */ describeComponent('SentMessage', sentMessage, () => ({
  messages: 'Exactly one message.',
  'messages[].id': 'Id of the message, as in its statuses.',
  contacts: 'The recipient, as the request named it (`input`) and as the platform knows it (`wa_id`, `user_id`).',
}));

const done = z.object({ success: z.boolean() });
/* @__PURE__ */ describeMembers(done, () => ({ success: 'Always `true`.' }));

export const messageResponse = z.union([sentMessage, done]);
