import { expect, it } from 'vitest';
import { declarationSchema, Templates } from '../templates.ts';
import { assertForRecipient, readContent } from './params.ts';

/**
 * Message bodies on Meta's pages, at least one for each kind: their members and ids, with texts of our own. Each is named
 * by its page, below https://developers.facebook.com/documentation/business-messaging/whatsapp/, as of November 2025 to
 * June 2026.
 */

type Member = Record<string, unknown>;
type Message = Member & { readonly type: string };

const interactive = (type: string, action: Member, rest: Member = {}): Message => ({
  type: 'interactive',
  interactive: { type, body: { text: 'Lucky Shrub' }, action, ...rest },
});
const shop = 'https://www.luckyshrub.com';
const picture = (name: string) => ({ type: 'image', image: { link: `${shop}/assets/${name}.jpeg` } });
const textHeader = { type: 'text', text: 'Lucky Shrub' };
const footer = { text: 'Lucky Shrub: succulents™' };

const urlCard = (card_index: number, name: string) => ({
  card_index,
  type: 'cta_url',
  header: picture(name),
  body: { text: `*${name}*\n\nA plant for any space.` },
  action: {
    name: 'cta_url',
    parameters: { display_text: 'Buy now', url: `https://shop.luckyshrub.com/latest/${name}` },
  },
});
const quickReply = (id: string, title: string) => ({ type: 'quick_reply', quick_reply: { id, title } });
const replyCard = (card_index: number, name: string) => ({
  card_index,
  header: picture(name),
  body: { text: `*${name}*` },
  action: { buttons: [quickReply(`learn-${name}`, 'Learn more'), quickReply(`fav-${name}`, 'Add to favorites')] },
});
const template = (name: string, code: string, components: Member[]): Message => ({
  type: 'template',
  template: { name, language: { code }, components },
});
const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));
const namedTexts = (values: Record<string, string>) =>
  Object.entries(values).map(([parameter_name, text]) => ({ type: 'text', parameter_name, text }));
const body = (...values: string[]) => ({ type: 'body', parameters: texts(...values) });
const imageHeader = (id: string) => ({ type: 'header', parameters: [{ type: 'image', image: { id } }] });
const button = (sub_type: string, index: number | string, ...parameters: Member[]) => ({
  type: 'button',
  sub_type,
  index,
  parameters,
});
const payload = (value: string) => ({ type: 'payload', payload: value });
const examples: readonly [page: string, ...Message[]][] = [
  [
    'messages/text-messages',
    { type: 'text', text: { preview_url: true, body: 'https://www.meta.com/quest/quest-3/' } },
  ],
  ['messages/image-messages', { type: 'image', image: { id: '1479537139650973', caption: 'The best succulent?' } }],
  ['messages/audio-messages', { type: 'audio', audio: { id: '1013859600285441', voice: true } }],
  [
    'messages/document-messages',
    { type: 'document', document: { id: '1376223850470843', filename: 'order_abc123.pdf', caption: 'Your order' } },
  ],
  [
    'messages/location-messages',
    {
      type: 'location',
      location: {
        latitude: '37.44216251868683',
        longitude: '-122.16153582049394',
        name: 'Philz Coffee',
        address: '101 Forest Ave',
      },
    },
  ],
  [
    'messages/reaction-messages',
    { type: 'reaction', reaction: { message_id: 'wamid.HBgLMTY0NjcwNDM1OTUVAgASGA=', emoji: '\uD83D\uDE00' } },
  ],
  [
    'messages/contextual-replies',
    { type: 'text', text: { body: "You're welcome!" }, context: { message_id: 'wamid.HBgLMTY0NjcwNDM1OTUVAgASGA=' } },
  ],
  [
    'messages/interactive-list-messages',
    interactive(
      'list',
      {
        button: 'Shipping Options',
        sections: [
          {
            title: 'I want it ASAP!',
            rows: [
              { id: 'priority_express', title: 'Priority Mail Express', description: 'Next Day to 2 Days' },
              { id: 'priority_mail', title: 'Priority Mail', description: '1–3 Days' },
            ],
          },
          {
            title: 'I can wait a bit',
            rows: [
              { id: 'usps_ground_advantage', title: 'USPS Ground Advantage', description: '2–5 Days' },
              { id: 'media_mail', title: 'Media Mail', description: '2–8 Days' },
            ],
          },
        ],
      },
      { header: textHeader, footer },
    ),
  ],
  [
    'messages/interactive-reply-buttons-messages',
    interactive(
      'button',
      {
        buttons: [
          { type: 'reply', reply: { id: 'change-button', title: 'Change' } },
          { type: 'reply', reply: { id: 'cancel-button', title: 'Cancel' } },
        ],
      },
      { header: { type: 'image', image: { id: '2762702990552401' } }, footer },
    ),
  ],
  [
    'messages/interactive-cta-url-messages',
    ...[
      textHeader,
      picture('lucky-shrub-banner-logo-v1'),
      { type: 'document', document: { link: `${shop}/a.pdf` } },
    ].map((header) =>
      interactive(
        'cta_url',
        {
          name: 'cta_url',
          parameters: { display_text: 'See Dates', url: `${shop}?clickID=kqDGWd24Q5TRwoEQTICY7W1JKo` },
        },
        { header, footer },
      ),
    ),
  ],
  ['messages/location-request-messages', interactive('location_request_message', { name: 'send_location' })],
  [
    'messages/interactive-media-carousel-messages',
    interactive('carousel', {
      cards: ['blue-echeveria', 'zebra-haworthia', 'panda-plant'].map((name, i) => urlCard(i, name)),
    }),
    interactive('carousel', {
      cards: ['blue-echeveria', 'zebra-haworthia', 'panda-plant'].map((name, i) => replyCard(i, name)),
    }),
  ],
  [
    'messages/interactive-flow-messages',
    interactive(
      'flow',
      {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_token: 'AQAAAAACS5FpgQ_cAAAAAD0QI3s.',
          flow_id: '1',
          flow_cta: 'Book!',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'SCREEN_NAME', data: { product_name: 'name', product_price: 100 } },
        },
      },
      { header: textHeader, footer },
    ),
    ...[
      { flow_id: '1', mode: 'draft', flow_action: 'data_exchange' },
      { flow_name: 'appointment_booking_v1', flow_token: 'AQAAAAACS5FpgQ_cAAAAAD0QI3s.' },
      { flow_name: 'appointment_booking_v1', flow_action: 'navigate', flow_action_payload: { screen: 'SCREEN_NAME' } },
      { flow_id: '1', flow_action: 'navigate', flow_action_payload: { screen: 'SCREEN_NAME', data: '{"price":100}' } },
    ].map((parameters) =>
      interactive('flow', {
        name: 'flow',
        parameters: { flow_message_version: '3', flow_cta: 'Book!', ...parameters },
      }),
    ),
  ],
  [
    'catalogs/sell-products-and-services/share-products',
    interactive(
      'catalog_message',
      { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: '2lc20305pt' } },
      { footer },
    ),
    interactive('product', { catalog_id: 'CATALOG_ID', product_retailer_id: 'ID_TEST_ITEM_1' }, { footer }),
    interactive(
      'product_list',
      {
        catalog_id: 'CATALOG_ID',
        sections: ['A', 'B'].map((title) => ({
          title,
          product_items: [{ product_retailer_id: 'SKU-1' }, { product_retailer_id: 'SKU-2' }],
        })),
      },
      { header: textHeader, footer },
    ),
  ],
  [
    'calling/call-button-messages-deep-links',
    interactive('voice_call', {
      name: 'voice_call',
      parameters: { display_text: 'Call on WhatsApp', ttl_minutes: 100, payload: 'payload data' },
    }),
    template('wa_voice_call', 'en', [
      {
        type: 'button',
        sub_type: 'voice_call',
        parameters: [{ type: 'ttl_minutes', ttl_minutes: 100 }, payload('payload data')],
      },
    ]),
  ],
  [
    'calling/user-call-permissions',
    interactive('call_permission_request', { name: 'call_permission_request' }),
    template('sample_cpr_template', 'en', [body('John Smith', 'order #1522')]),
    {
      type: 'interactive',
      interactive: { type: 'call_permission_request', action: { name: 'call_permission_request' } },
    },
  ],
  [
    'groups/groups-messaging',
    {
      recipient_type: 'group',
      type: 'text',
      text: { preview_url: true, body: 'https://www.luckytravel.com/DDLmU5F1Pw' },
    },
    { recipient_type: 'group', type: 'pin', pin: { type: 'pin', message_id: 'wamid.HBgLM', expiration_days: 4 } },
    { recipient_type: 'group', type: 'pin', pin: { type: 'unpin', message_id: 'wamid.HBgLM' } },
  ],
  [
    'direct-send/send-utility-and-authentication-messages',
    { type: 'text', text: { body: 'Your order is on its way.' }, category: 'utility' },
    { type: 'text', text: { body: 'Your order is on its way.' }, category: 'utility', ttl_seconds: 600 },
    {
      type: 'text',
      text: { body: 'Your order is on its way.' },
      category: 'utility',
      direct_send_config: { template_name: 'order_shipment_update' },
    },
    { type: 'text', text: { body: 'Your code is 123456.' }, category: 'authentication' },
  ],
  [
    'business-scoped-user-ids',
    interactive('request_contact_info', { name: 'request_contact_info' }),
    { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
  ],
  [
    'flows/guides/flows-templates',
    template('book_table', 'en_US', [
      button('flow', '0', { type: 'action', action: { flow_token: 'TOKEN', flow_action_data: { guests: 2 } } }),
    ]),
  ],
  [
    'templates/marketing-templates/limited-time-offer-templates',
    template('limited_time_offer_caribbean_pkg_2023', 'en_US', [
      imageHeader('1602186516975000'),
      body('Pablo', 'CARIBE25'),
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_209_600_000 } }],
      },
      button('copy_code', 0, { type: 'coupon_code', coupon_code: 'CARIBE25' }),
      button('url', 1, ...texts('n3mtql')),
    ]),
  ],
];

it.each(examples)('messages of %s', (_, ...messages) => {
  const templates = new Templates(new Map());
  for (const message of messages) {
    const content = readContent(new Map(Object.entries(message)));
    const type = message.recipient_type === 'group' ? 'group' : 'individual';
    assertForRecipient({ input: '', type, contact: undefined }, content);
    if (content.type === 'template') templates.assertFits(content.content);
  }
});

/** Definitions on the same pages, each with the message that sends it. */
it.each<[page: string, definition: Member, components: Member[]]>([
  [
    'templates/marketing-templates/coupon-templates',
    {
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Our Fall Sale is on!' },
        { type: 'BODY', text: 'Use {{1}} to get {{2}} off.' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Unsubscribe' },
            { type: 'COPY_CODE', example: '250FF' },
          ],
        },
      ],
    },
    [body('25OFF', '25%'), button('COPY_CODE', 1, { type: 'coupon_code', coupon_code: '25OFF' })],
  ],
  [
    'templates/marketing-templates/custom-marketing-templates',
    {
      category: 'marketing',
      parameter_format: 'named',
      components: [
        { type: 'header', format: 'image', example: { header_handle: ['4::aW'] } },
        { type: 'body', text: 'Welcome, {{first_name}}! Use {{discount_code}}.' },
        { type: 'footer', text: 'Lucky Shrub' },
        {
          type: 'buttons',
          buttons: [
            { type: 'url', text: 'View deals', url: `${shop}/deals` },
            { type: 'phone_number', text: 'Call us', phone_number: '+15550051310' },
            { type: 'quick_reply', text: 'Unsubscribe' },
          ],
        },
      ],
    },
    [
      imageHeader('1339522734477770'),
      { type: 'body', parameters: namedTexts({ first_name: 'Jessica', discount_code: 'WELCOME25' }) },
    ],
  ],
  [
    'templates/utility-templates/location-templates',
    {
      parameter_format: 'named',
      components: [
        { type: 'HEADER', format: 'LOCATION' },
        { type: 'BODY', text: '{{customer_name}}, {{order_number}} is here.' },
        { type: 'FOOTER', text: 'To stop this, tap below.' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }] },
      ],
    },
    [
      {
        type: 'header',
        parameters: [
          {
            type: 'location',
            location: { latitude: '37.44', longitude: '-122.16', name: 'Philz Coffee', address: '101 Forest Ave' },
          },
        ],
      },
      { type: 'body', parameters: namedTexts({ customer_name: 'Jane', order_number: '892104' }) },
    ],
  ],
])('the definition of %s', (_, definition, components) => {
  const templates = new Templates(new Map());
  templates.declare(declarationSchema.parse({ name: 'example', language: 'en_US', ...definition }));
  expect(() => templates.assertFits({ name: 'example', language: { code: 'en_US' }, components })).not.toThrow();
});
