import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json.ts';
import { count, list, oneOf, optionalText, text, webAddress } from '../../http/read-as.ts';

/**
 * What Graph demands of `interactive`, by its type, with Meta's limits. Members that are not named here pass, and so does
 * what only several members together can break.
 */

const textOf = (max: number) => z.looseObject({ text: text(max) });
const header = z.looseObject({ type: oneOf('text', 'image', 'video', 'document'), text: z.optional(text(60)) });
const body = textOf(1024);

/** An interactive message with an action. Most have any header, a body and a footer. */
function interactive(action: z.ZodMiniType, parts: { readonly body?: z.ZodMiniType } = {}) {
  return z.looseObject({ header: z.optional(header), body, footer: z.optional(textOf(60)), action, ...parts });
}

const named = (name: string, parameters?: z.ZodMiniType) =>
  z.looseObject({ name: oneOf(name), ...(parameters && { parameters }) });

const replyButton = z.looseObject({
  type: oneOf('reply'),
  reply: z.looseObject({ id: text(256), title: text(20) }),
});

const maxRows = 10;
const row = z.looseObject({ id: text(200), title: text(24), description: optionalText(72) });
const section = z.looseObject({ title: optionalText(24), rows: list(row, 1, maxRows) });
const sections = list(section, 1, 10).check(
  z.refine((all) => all.flatMap(({ rows }) => rows).length <= maxRows, `has more than ${maxRows} rows in total`),
);

const product = z.looseObject({ product_retailer_id: text() });
const productSection = z.looseObject({ title: optionalText(24), product_items: list(product, 1, 30) });

const link = z.looseObject({ display_text: text(20), url: webAddress });
const card = z.looseObject({
  card_index: count(0, 9),
  body: z.optional(textOf(160)),
  action: z.looseObject({ parameters: z.optional(link) }),
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
    flow_id: z.optional(text()),
    flow_name: z.optional(text()),
    flow_cta: text(30),
    flow_token: z._default(text(), 'unused'),
    mode: z._default(z.enum(['draft', 'published']), 'published'),
    flow_action: z._default(z.enum(['navigate', 'data_exchange']), 'navigate'),
    flow_action_payload: z.optional(z.looseObject({ screen: z.optional(text()), data: z.optional(flowData) })),
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

const callButton = z.looseObject({
  display_text: z.optional(text(20)),
  ttl_minutes: z.optional(count(1, 43_200)),
  payload: z.optional(text(512)),
});

const schemas = {
  button: interactive(z.looseObject({ buttons: list(replyButton, 1, 3) })),
  list: interactive(z.looseObject({ button: text(20), sections }), { body: textOf(4096) }),
  cta_url: interactive(named('cta_url', link)),
  flow: interactive(named('flow', flowParametersSchema)),
  location_request_message: interactive(named('send_location')),
  address_message: interactive(named('address_message', z.looseObject({ country: text() }))),
  call_permission_request: interactive(named('call_permission_request'), { body: z.optional(body) }),
  request_contact_info: interactive(named('request_contact_info')),
  voice_call: interactive(named('voice_call', z.optional(callButton))),
  product: interactive(z.looseObject({ catalog_id: text(), ...product.shape }), { body: z.optional(body) }),
  product_list: interactive(z.looseObject({ catalog_id: text(), sections: list(productSection, 1, 10) })),
  catalog_message: interactive(named('catalog_message')),
  carousel: interactive(z.looseObject({ cards: list(card, 2, 10) })),
  order_details: interactive(z.looseObject({})),
  order_status: interactive(z.looseObject({})),
} as const;

const typesSchema = z.looseObject({ type: oneOf(...(Object.keys(schemas) as ['button'])) });

/** The schema of this content of an interactive message. */
export function interactiveSchemaOf(content: unknown): z.ZodMiniType {
  const { data } = z.safeParse(typesSchema, content);
  return data === undefined ? typesSchema : schemas[data.type as keyof typeof schemas];
}
