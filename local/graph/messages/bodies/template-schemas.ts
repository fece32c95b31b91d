import * as z from 'zod/mini';
import { count, fits, outside, repeated, required, rule } from './fields.ts';
import { limits } from './limits.ts';
import { mediaSchema } from './media-schemas.ts';

/** What Graph demands of `template`, whatever the template. */

const componentTypes = [
  'BODY',
  'BUTTON',
  'CAROUSEL',
  'FOOTER',
  'HEADER',
  'LIMITED_TIME_OFFER',
  'ORDER_STATUS',
  'TAP_TARGET_CONFIGURATION',
];

/** As Graph v24.0 lists them in its error. */
const buttonTypes = [
  'BOOKING_CONFIRMATION',
  'CATALOG',
  'COPY_CODE',
  'FLOW',
  'MPM',
  'ORDER_DETAILS',
  'QUICK_REPLY',
  'REMINDER',
  'URL',
  'VOICE_CALL',
];

/** One of the types, in upper or lower case. */
const typeOf = (types: readonly string[]) =>
  required().check(
    rule((type: string) =>
      types.includes(type.toUpperCase())
        ? undefined
        : { says: `must be one of {${types.join(', ')}} - got ${JSON.stringify(type)}`, error: 'invalid_parameter' },
    ),
  );

interface Parameter {
  readonly [member: string]: unknown;
  readonly type: string;
}

/** The value of a parameter is in the member that has the name of its type. */
const withItsValue = rule((parameter: Parameter) => {
  const member = parameter.type.toLowerCase();
  if (parameter[member] !== undefined && parameter[member] !== '') return undefined;
  return { says: 'is required', path: [member], error: 'message_parameter_missing' };
});

const parameter = z
  .looseObject({
    type: required(),
    text: z.optional(
      z.string().check(
        rule((text: string) =>
          /[\n\t]| {5}/.test(text)
            ? {
                says: 'cannot have new-line/tab characters or more than 4 consecutive spaces',
                error: 'template_parameters_invalid',
              }
            : undefined,
        ),
      ),
    ),
    image: z.optional(mediaSchema),
    video: z.optional(mediaSchema),
    document: z.optional(mediaSchema),
    ttl_minutes: z.optional(count('callButtonMinutes')),
  })
  .check(withItsValue);

const index = z
  .union([z.int(), z.string().check(z.regex(/^\d+$/))])
  .check(z.refine((value) => fits('templateButton', Number(value)), outside('templateButton')));

interface Identity {
  readonly type: string;
  readonly sub_type?: string | undefined;
  readonly index?: unknown;
}

/** A button says its type and which one of the template it is. (Meta's example of a call button has no index.) */
const identified = rule((one: Identity) => {
  const { type, sub_type, index } = one;
  if (type.toUpperCase() !== 'BUTTON') return undefined;
  if (sub_type === undefined) return { says: 'is required', path: ['sub_type'], error: 'invalid_parameter' };
  if (index !== undefined || sub_type.toUpperCase() === 'VOICE_CALL') return undefined;
  return { says: 'is required', path: ['index'], error: 'message_parameter_missing' };
});

const card = z.looseObject({ card_index: z.int(), components: z.lazy(() => components) });
const cards = z.array(card).check(
  z.refine((all) => all.length <= limits.cards.max, `has more than ${limits.cards.max}`),
  rule((all: readonly { readonly card_index: number }[]) => {
    const place = repeated(all.map(({ card_index }) => String(card_index)));
    return place < 0 ? undefined : { says: 'is that of another card', path: [place, 'card_index'] };
  }),
);

const component = z
  .looseObject({
    type: typeOf(componentTypes),
    sub_type: z.optional(typeOf(buttonTypes)),
    index: z.optional(index),
    parameters: z.optional(z.array(parameter)),
    cards: z.optional(cards),
  })
  .check(identified);

const components: z.ZodMiniType<unknown[]> = z.array(component);

export const templateSchema = z.looseObject({
  name: required(),
  language: z.looseObject({ code: required() }),
  components: z.optional(components),
});
