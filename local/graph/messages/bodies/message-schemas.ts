import * as z from 'zod/mini';
import { count, list, oneOf, optionalText, rule, text, webAddress } from '../../http/read-as.ts';

/**
 * What Graph demands of the member of each type of message, as far as it is documented. Members that are not named
 * here pass.
 */

const longestText = 4096;

const body = text().check(
  rule((value: string) =>
    [...value].length <= longestText
      ? undefined
      : { says: `must be at most ${longestText} characters long`, error: 'invalid_parameter' },
  ),
);

/** A file: one that the platform has, or one that it fetches from a link. */
const media = z
  .looseObject({ id: z.optional(text()), link: z.optional(webAddress), caption: optionalText(1024) })
  .check(z.refine(({ id, link }) => (id === undefined) !== (link === undefined), 'needs either id or link'));

/** Degrees, as a number or, as on Meta's page, as a text. */
const degrees = (max: number) =>
  z
    .union([z.number(), z.string()])
    .check(
      z.refine((value) => String(value).trim() !== '' && Math.abs(Number(value)) <= max, `has to be -${max} to ${max}`),
    );

const contact = z.looseObject({ name: z.looseObject({ formatted_name: text() }) });

/** One emoji. An empty text takes a reaction back. */
const emoji = z
  .string()
  .check(z.refine((value) => value === '' || /^\p{RGI_Emoji}$/v.test(value), 'has to be one emoji'));

/** The value of a parameter of a template is in the member that has the name of its type. */
const parameter = z
  .looseObject({
    type: text(),
    text: z.optional(
      z.string().check(
        rule((value: string) =>
          /[\n\t]| {5}/.test(value)
            ? {
                says: 'cannot have new-line/tab characters or more than 4 consecutive spaces',
                error: 'template_parameters_invalid',
              }
            : undefined,
        ),
      ),
    ),
  })
  .check(
    rule((value: { readonly [member: string]: unknown; readonly type: string }) => {
      const member = value.type.toLowerCase();
      if (value[member] !== undefined && value[member] !== '') return undefined;
      return { says: 'is required', path: [member], error: 'message_parameter_missing' };
    }),
  );

/** What Graph demands of a template, whatever the template. A button says which one of the template it is. */
const template = z.looseObject({
  name: text(),
  language: z.looseObject({ code: text() }),
  components: z.optional(
    z.array(
      z.looseObject({
        type: text(),
        sub_type: z.optional(text()),
        index: z.optional(z.union([z.int(), z.string().check(z.regex(/^\d+$/))])),
        parameters: z.optional(z.array(parameter)),
      }),
    ),
  ),
});

/** The member of a message by the message's type, which is also the member's name. */
export const messageSchemas = {
  text: z.looseObject({ body, preview_url: z.optional(z.boolean()) }),
  image: media,
  video: media,
  audio: media,
  document: media,
  sticker: media,
  location: z.looseObject({ latitude: degrees(90), longitude: degrees(180) }),
  contacts: list(contact, 1, 257),
  reaction: z.looseObject({ message_id: text(), emoji }),
  template,
  interactive: z.looseObject({ type: text() }),
  pin: z.looseObject({
    type: oneOf('pin', 'unpin'),
    message_id: text(),
    expiration_days: z.optional(count(1, 30)),
  }),
} as const satisfies Record<string, z.ZodMiniType>;

export type MessageType = keyof typeof messageSchemas;

export const messageTypes = Object.keys(messageSchemas) as MessageType[];
