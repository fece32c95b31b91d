import * as z from 'zod/mini';

/**
 * What Graph demands of the member of each type of message, as far as it is documented (Meta's pages "Messages",
 * "Interactive messages" and "Flows"). Members that are not named here pass.
 */

const text = (max: number) =>
  z.string().check(z.minLength(1, 'is empty'), z.maxLength(max, `has more than ${max} characters`));
const list = <Item extends z.ZodMiniType>(item: Item, min: number, max: number) =>
  z.array(item).check(z.minLength(min, `has less than ${min}`), z.maxLength(max, `has more than ${max}`));
const oneOf = (...values: [string, ...string[]]) => z.enum(values, `has to be one of ${values.join(', ')}`);

const media = z
  .looseObject({
    id: z.optional(text(500)),
    link: z.optional(z.url({ protocol: /^https?$/, error: 'has to be a URL' })),
    caption: z.optional(text(1024)),
  })
  .check(z.refine(({ id, link }) => (id === undefined) !== (link === undefined), 'needs either id or link'));

const coordinate = z.union([z.number(), z.string()], 'has to be a number');

const header = z.looseObject({
  type: oneOf('text', 'image', 'video', 'document', 'gif', 'product'),
  text: z.optional(text(60)),
});
const bodyOf = (max: number) => z.looseObject({ text: text(max) });
const footer = z.looseObject({ text: text(60) });

/** An interactive message with an action. Its body has at most 1024 characters, that of a list 4096. */
function interactive(type: string, action: Record<string, z.ZodMiniType>, body: z.ZodMiniType = bodyOf(1024)) {
  return z.looseObject({
    type: z.literal(type),
    header: z.optional(header),
    body,
    footer: z.optional(footer),
    action: z.looseObject(action),
  });
}

const optionalBody = z.optional(bodyOf(1024));
const named = (name: string) => ({ name: z.literal(name, `has to be ${name}`) });
const withoutContent = (name: string) => interactive(name, named(name));

const replyButton = z.looseObject({
  type: z.literal('reply', 'has to be reply'),
  reply: z.looseObject({ id: text(256), title: text(20) }),
});
const section = z.looseObject({
  title: z.optional(text(24)),
  rows: list(z.looseObject({ id: text(200), title: text(24), description: z.optional(text(72)) }), 1, 10),
});

/** Meta's page advises 30 characters for `flow_cta`; older editions allow 20. */
export const flowParametersSchema = z
  .looseObject({
    flow_message_version: z.literal('3', 'has to be "3"'),
    flow_id: z.optional(text(200)),
    flow_name: z.optional(text(200)),
    flow_cta: text(30),
    flow_token: z._default(text(4096), 'unused'),
    mode: z._default(z.enum(['draft', 'published'], 'has to be draft or published'), 'published'),
    flow_action: z._default(z.enum(['navigate', 'data_exchange'], 'has to be navigate or data_exchange'), 'navigate'),
    flow_action_payload: z.optional(
      z.looseObject({
        screen: z.optional(text(200)),
        data: z.optional(
          z.record(z.string(), z.unknown()).check(z.refine((data) => Object.keys(data).length > 0, 'is empty')),
        ),
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

const interactiveSchemas = {
  button: interactive('button', { buttons: list(replyButton, 1, 3) }),
  list: interactive('list', { button: text(20), sections: list(section, 1, 10) }, bodyOf(4096)),
  cta_url: interactive('cta_url', {
    ...named('cta_url'),
    parameters: z.looseObject({ display_text: text(20), url: text(2000) }),
  }),
  flow: interactive('flow', { ...named('flow'), parameters: flowParametersSchema }),
  location_request_message: interactive('location_request_message', named('send_location')),
  address_message: interactive('address_message', named('address_message')),
  call_permission_request: interactive('call_permission_request', named('call_permission_request'), optionalBody),
  request_contact_info: withoutContent('request_contact_info'),
  voice_call: withoutContent('voice_call'),
  product: interactive('product', { catalog_id: text(200), product_retailer_id: text(200) }, optionalBody),
  product_list: interactive('product_list', { catalog_id: text(200), sections: list(z.looseObject({}), 1, 10) }),
  catalog_message: withoutContent('catalog_message'),
  carousel: interactive('carousel', { cards: list(z.looseObject({}), 2, 10) }),
  order_details: interactive('order_details', {}),
  order_status: interactive('order_status', {}),
} as const;

const interactiveTypes = Object.keys(interactiveSchemas) as [string, ...string[]];

const contactCard = z.looseObject({ name: z.looseObject({ formatted_name: text(1024) }) });

/** The member of a message by the message's type, which is also the member's name. */
export const messageSchemas = {
  text: z.looseObject({ body: text(4096), preview_url: z.optional(z.boolean('has to be a boolean')) }),
  image: media,
  video: media,
  audio: media,
  document: media,
  sticker: media,
  location: z.looseObject({ latitude: coordinate, longitude: coordinate }),
  contacts: list(contactCard, 1, 257),
  reaction: z.looseObject({ message_id: text(1024), emoji: z.string() }),
  template: z.looseObject({
    name: text(512),
    language: z.looseObject({ code: text(20) }),
    components: z.optional(z.array(z.looseObject({ type: z.string() }))),
  }),
  interactive: z.looseObject({ type: oneOf(...interactiveTypes) }),
} as const satisfies Record<string, z.ZodMiniType>;

export type MessageType = keyof typeof messageSchemas;

export const messageTypes = Object.keys(messageSchemas) as MessageType[];

/** The schema of an interactive message of this type. */
export function interactiveSchemaOf(type: string): z.ZodMiniType {
  return interactiveSchemas[type as keyof typeof interactiveSchemas];
}
