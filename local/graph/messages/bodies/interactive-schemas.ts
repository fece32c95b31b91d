import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { count, list, notAllowed, oneOf, repeated, required, rule, text, webAddress } from './fields.ts';
import { type LimitName, limits } from './limits.ts';
import { mediaSchema } from './media-schemas.ts';

/** What Graph demands of `interactive`, by its type. Members that are not named here pass. */

const mediaHeaders = ['image', 'video', 'document'] as const;
type HeaderType = 'text' | (typeof mediaHeaders)[number];

function headerOf(first: HeaderType, ...others: HeaderType[]) {
  return z
    .looseObject({
      type: oneOf(first, ...others),
      text: z.optional(text('header')),
      image: z.optional(mediaSchema),
      video: z.optional(mediaSchema),
      document: z.optional(mediaSchema),
    })
    .check(
      rule((header: { readonly [member: string]: unknown; readonly type: string }) =>
        header[header.type] === undefined
          ? { says: 'is required', path: [header.type], error: 'invalid_parameter' }
          : undefined,
      ),
    );
}

const anyHeader = z.optional(headerOf('text', ...mediaHeaders));
const textHeader = headerOf('text');
const bodyOf = (name: LimitName) => z.looseObject({ text: text(name) });
const body = bodyOf('body');
const footer = z.optional(z.looseObject({ text: text('footer') }));

interface Parts {
  readonly header?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly footer?: z.ZodMiniType;
}

/** An interactive message with an action. Most have any header, a body of up to 1024 characters, and a footer. */
function interactive(action: z.ZodMiniType, parts: Parts = {}) {
  return z.looseObject({ type: z.string(), header: anyHeader, body, footer, action, ...parts });
}

const named = (name: string) => ({ name: oneOf(name) });
const withoutContent = (name: string, parts?: Parts) => interactive(z.looseObject(named(name)), parts);

const trimmed = rule((id: string) =>
  id === id.trim() ? undefined : { says: 'has to be without spaces before and after' },
);

/** Ids and titles of buttons have to be different. */
const differentReplies = (member: string) =>
  rule((buttons: readonly { readonly [member: string]: unknown }[]) => {
    const values = (key: 'id' | 'title') =>
      buttons.map((button) => (button[member] as { id?: string; title?: string } | undefined)?.[key]);
    const key = repeated(values('id')) >= 0 ? 'id' : 'title';
    const index = repeated(values(key));
    return index < 0 ? undefined : { says: `is that of another button`, path: [index, member, key] };
  });

const replyButtons = list(
  z.looseObject({
    type: oneOf('reply'),
    reply: z.looseObject({ id: text('buttonId').check(trimmed), title: text('buttonTitle') }),
  }),
  'buttons',
).check(differentReplies('reply'));

const row = z.looseObject({
  id: text('rowId'),
  title: text('rowTitle'),
  description: z.optional(text('rowDescription')),
});
interface Section {
  readonly title?: string | undefined;
}

/** With several sections, each has a title. */
const titled = rule((sections: readonly Section[]) => {
  const index = sections.length > 1 ? sections.findIndex(({ title }) => title === undefined) : -1;
  return index < 0 ? undefined : { says: 'is required if there are several sections', path: [index, 'title'] };
});

/** All sections together have so many items at most, and none is empty. */
function filled(member: 'rows' | 'product_items', name: LimitName) {
  return rule((sections: readonly { readonly [member: string]: unknown }[]) => {
    const sizes = sections.map((section) => (section[member] as unknown[]).length);
    const empty = sizes.indexOf(0);
    if (empty >= 0) return { says: 'is empty', path: [empty, member] };
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const { max } = limits[name];
    return total > max ? { says: `has ${total} ${member} in total, more than ${max}` } : undefined;
  });
}

/** Ids and titles of rows have to be different, also in different sections. */
const differentRows = rule((sections: readonly { readonly rows: readonly z.infer<typeof row>[] }[]) => {
  const rows = sections.flatMap((section) => section.rows);
  const key = repeated(rows.map(({ id }) => id)) >= 0 ? 'id' : 'title';
  const index = repeated(rows.map((one) => one[key]));
  if (index < 0) return undefined;
  return { says: `has two rows with the ${key} ${JSON.stringify(rows[index]?.[key])}` };
});

const sections = list(z.looseObject({ title: z.optional(text('sectionTitle')), rows: z.array(row) }), 'sections').check(
  titled,
  filled('rows', 'rows'),
  differentRows,
);

const productSections = list(
  z.looseObject({
    title: z.optional(text('sectionTitle')),
    product_items: z.array(z.looseObject({ product_retailer_id: required() })),
  }),
  'productSections',
).check(titled, filled('product_items', 'products'));

const linkAction = z.looseObject({
  ...named('cta_url'),
  parameters: z.looseObject({ display_text: text('urlButtonText'), url: webAddress }),
});

/** An object, or its JSON as a text: Meta's page "Sending a Flow" shows both. */
const flowData = z.pipe(
  z.transform((data) => (typeof data === 'string' ? parseJson(data) : data)),
  z.record(z.string(), z.unknown()).check(z.refine((data) => Object.keys(data).length > 0, 'is empty')),
);

/** Meta's reference advises 30 characters for `flow_cta`; older pages allow 20. */
export const flowParametersSchema = z
  .looseObject({
    flow_message_version: oneOf('3'),
    flow_id: z.optional(required()),
    flow_name: z.optional(required()),
    flow_cta: text('flowButtonText'),
    flow_token: z._default(required(), 'unused'),
    mode: z._default(z.enum(['draft', 'published']), 'published'),
    flow_action: z._default(z.enum(['navigate', 'data_exchange']), 'navigate'),
    flow_action_payload: z.optional(
      z.looseObject({
        screen: z.optional(required()),
        data: z.optional(flowData),
      }),
    ),
  })
  .check(
    z.refine(
      ({ flow_id, flow_name }) => (flow_id === undefined) !== (flow_name === undefined),
      'needs either flow_id or flow_name',
    ),
    z.refine(
      ({ flow_action, flow_action_payload }) => flow_action === 'navigate' || flow_action_payload === undefined,
      'has a flow_action_payload, which is for flow_action navigate only',
    ),
  );

export type FlowParameters = z.infer<typeof flowParametersSchema>;

const quickReplies = z
  .array(
    z.looseObject({
      type: oneOf('quick_reply'),
      quick_reply: z.looseObject({ id: text('cardReplyId'), title: text('cardButtonText') }),
    }),
  )
  .check(z.minLength(1), differentReplies('quick_reply'));

const cardBody = z.looseObject({
  text: text('cardBody').check(
    z.refine(
      (value) => value.split('\n').length - 1 <= limits.cardLines.max,
      `has more than ${limits.cardLines.max} line breaks`,
    ),
  ),
});

const linkParameters = z.looseObject({ display_text: text('cardButtonText'), url: webAddress });
const cardAction = z
  .looseObject({
    name: z.optional(oneOf('cta_url')),
    parameters: z.optional(linkParameters),
    buttons: z.optional(quickReplies),
  })
  .check(
    z.refine(
      ({ parameters, buttons }) => (parameters === undefined) !== (buttons === undefined),
      'needs either a URL button or quick replies',
    ),
  );

const mediaCard = z.looseObject({
  card_index: count('cardIndex'),
  type: z.optional(oneOf('cta_url')),
  header: headerOf('image', 'video'),
  body: z.optional(cardBody),
  action: cardAction,
});

const productCard = z.looseObject({
  card_index: count('cardIndex'),
  type: oneOf('product'),
  action: z.looseObject({ catalog_id: required(), product_retailer_id: required() }),
});

interface Card {
  readonly card_index: number;
  readonly action: { readonly [member: string]: unknown };
}

/** Cards have different indices, and all of them buttons of one kind and number, or products of one catalog. */
const alike = rule((cards: readonly Card[]) => {
  const index = repeated(cards.map(({ card_index }) => String(card_index)));
  if (index >= 0) return { says: 'is that of another card', path: [index, 'card_index'] };
  const kinds = cards.map(
    ({ action: { buttons, catalog_id } }) => `${Array.isArray(buttons) && buttons.length} ${catalog_id}`,
  );
  const different = kinds.findIndex((kind) => kind !== kinds[0]);
  if (different < 0) return undefined;
  return { says: 'has to be like that of the first card', path: [different, 'action'] };
});

/** A carousel shows media, or products: the first card says which. */
function carousel(content: unknown) {
  const isProduct = Object(content).action?.cards?.[0]?.type === 'product';
  const cards = isProduct ? list(productCard, 'cards').check(alike) : list(mediaCard, 'cards').check(alike);
  return interactive(z.looseObject({ cards }), { header: notAllowed, footer: notAllowed });
}

const addressParameters = z.looseObject({
  country: required(),
  values: z.optional(z.looseObject({ in_pin_code: z.optional(text('pinCode')) })),
});

const callParameters = z.looseObject({
  display_text: z.optional(text('callButtonText')),
  ttl_minutes: z.optional(count('callButtonMinutes')),
  payload: z.optional(text('callButtonPayload')),
});

const schemas = {
  button: interactive(z.looseObject({ buttons: replyButtons })),
  list: interactive(z.looseObject({ button: text('listButton'), sections }), {
    header: z.optional(textHeader),
    body: bodyOf('listBody'),
  }),
  cta_url: interactive(linkAction),
  flow: interactive(z.looseObject({ ...named('flow'), parameters: flowParametersSchema })),
  location_request_message: interactive(z.looseObject(named('send_location'))),
  address_message: interactive(z.looseObject({ ...named('address_message'), parameters: addressParameters })),
  call_permission_request: withoutContent('call_permission_request', { body: z.optional(body) }),
  request_contact_info: withoutContent('request_contact_info'),
  voice_call: interactive(z.looseObject({ ...named('voice_call'), parameters: z.optional(callParameters) })),
  product: interactive(z.looseObject({ catalog_id: required(), product_retailer_id: required() }), {
    header: notAllowed,
    body: z.optional(body),
  }),
  product_list: interactive(z.looseObject({ catalog_id: required(), sections: productSections }), {
    header: textHeader,
  }),
  catalog_message: withoutContent('catalog_message', { header: notAllowed }),
  order_details: interactive(z.looseObject({})),
  order_status: interactive(z.looseObject({})),
} as const;

export const interactiveTypes: [string, ...string[]] = ['carousel', ...Object.keys(schemas)];

/** The schema of this content of an interactive message. */
export function interactiveSchemaOf(content: unknown): z.ZodMiniType {
  const { type } = Object(content);
  return type === 'carousel' ? carousel(content) : schemas[type as keyof typeof schemas];
}
