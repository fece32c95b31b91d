import * as z from 'zod/mini';
import { count, fits, list, oneOf, outside, required, rule } from './fields.ts';
import { interactiveTypes } from './interactive-schemas.ts';
import { limits } from './limits.ts';
import { mediaSchema, mediaWith } from './media-schemas.ts';
import { templateSchema } from './template-schemas.ts';

/**
 * What Graph demands of the member of each type of message, as far as it is documented. Members that are not named
 * here pass.
 */

const { max: longestText } = limits.text;

const body = required().check(
  rule((value: string) =>
    fits('text', [...value].length)
      ? undefined
      : { says: `must be at most ${longestText} characters long`, error: 'invalid_parameter' },
  ),
);

/** Degrees, as a number or, as on Meta's page, as a text. */
const degrees = (name: 'latitude' | 'longitude') =>
  z
    .union([z.number(), z.string()])
    .check(z.refine((value) => String(value).trim() !== '' && fits(name, Number(value)), outside(name)));

const contact = z.looseObject({
  name: z.looseObject({ formatted_name: required() }),
  birthday: z.optional(
    z.string().check(z.refine((date) => /^\d{4}-\d{2}-\d{2}$/.test(date), 'has to have the form YYYY-MM-DD')),
  ),
});

/** One emoji. An empty text takes a reaction back. */
const emoji = z
  .string()
  .check(z.refine((value) => value === '' || /^\p{RGI_Emoji}$/v.test(value), 'has to be one emoji'));

const pin = z
  .looseObject({
    type: oneOf('pin', 'unpin'),
    message_id: required(),
    expiration_days: z.optional(count('pinDays')),
  })
  .check(
    rule(({ type, expiration_days }: { readonly type: string; readonly expiration_days?: number | undefined }) =>
      type === 'pin' && expiration_days === undefined
        ? { says: 'is required', path: ['expiration_days'], error: 'invalid_parameter' }
        : undefined,
    ),
  );

/** The member of a message by the message's type, which is also the member's name. */
export const messageSchemas = {
  text: z.looseObject({ body, preview_url: z.optional(z.boolean()) }),
  image: mediaSchema,
  video: mediaSchema,
  audio: mediaWith({ voice: z.optional(z.boolean()) }),
  document: mediaWith({ filename: z.optional(z.string()) }),
  sticker: mediaSchema,
  location: z.looseObject({ latitude: degrees('latitude'), longitude: degrees('longitude') }),
  contacts: list(contact, 'contacts'),
  reaction: z.looseObject({ message_id: required(), emoji }),
  template: templateSchema,
  interactive: z.looseObject({ type: oneOf(...interactiveTypes) }),
  pin,
} as const satisfies Record<string, z.ZodMiniType>;

export type MessageType = keyof typeof messageSchemas;

export const messageTypes = Object.keys(messageSchemas) as MessageType[];
