import { expect, it } from 'vitest';
import { declarationSchema, Templates } from '../templates.ts';
import { limitPages } from './limits.ts';
import { assertForRecipient, readContent } from './params.ts';

/**
 * The message bodies on Meta's pages: their members and ids, with texts of our own. Each is named by its page, below
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/, as of November 2025 to June 2026.
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
const productCard = (card_index: number, product_retailer_id: string) => ({
  card_index,
  type: 'product',
  action: { product_retailer_id, catalog_id: '123456789' },
});

const address = {
  name: 'Customer',
  phone_number: '+919000090000',
  in_pin_code: '400063',
  floor_number: '8',
  building_name: '',
  address: 'Wing A',
  landmark_area: 'Goregaon',
  city: 'Mumbai',
};
const addressMessage = (parameters: Member) =>
  interactive('address_message', { name: 'address_message', parameters: { country: 'IN', ...parameters } });

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
const catalogProduct = (product_retailer_id: string) => ({
  type: 'header',
  parameters: [{ type: 'product', product: { product_retailer_id, catalog_id: '194836987003835' } }],
});
const order = {
  reference_id: 'abc.123_xyz-1',
  type: 'digital-goods',
  payment_type: 'br',
  payment_settings: [{ type: 'pix_dynamic_code', pix_dynamic_code: { code: '000201', key_type: 'CNPJ' } }],
  currency: 'BRL',
  total_amount: { value: 50_000, offset: 100 },
  order: { status: 'pending', items: [{ retailer_id: '1234567', name: 'Cake', quantity: 1 }] },
};

const { order: _, ...withoutItems } = order;
const amount = { value: 1000, offset: 100 };
const cost = { ...amount, description: 'As agreed' };
const priced = {
  ...order,
  order: {
    status: 'pending',
    catalog_id: '194836987003835',
    expiration: { timestamp: '1926000000', description: 'Too late' },
    items: [{ retailer_id: '1234567', name: 'Bread', amount, sale_amount: amount, quantity: 1 }],
    subtotal: amount,
    tax: cost,
    shipping: cost,
    discount: { ...cost, discount_program_name: 'Regulars' },
  },
};
const paidBy = (...payment_settings: Member[]) =>
  interactive('order_details', { name: 'review_and_pay', parameters: { ...priced, payment_settings } });

/** Orders in India name the importer of each item, and the place to send it to. */
const imported = {
  ...priced.order,
  items: [
    {
      name: 'Bread',
      amount,
      sale_amount: amount,
      quantity: 1,
      country_of_origin: 'India',
      importer_name: 'Lucky Shrub Imports',
      importer_address: {
        address_line1: 'One BKC',
        address_line2: 'Bandra Kurla Complex',
        city: 'Mumbai',
        zone_code: 'MH',
        postal_code: '400051',
        country_code: 'IN',
      },
    },
  ],
};
const sentTo = {
  country: 'IN',
  addresses: [{ ...address, house_number: '12', tower_number: '5', state: 'Maharashtra' }],
};
const paidInIndia = (...payment_settings: Member[]) =>
  interactive(
    'order_details',
    { name: 'review_and_pay', parameters: { ...priced, currency: 'INR', payment_settings, order: imported } },
    { header: { type: 'image', image: { link: `${shop}/bread.png`, provider: { name: 'provider' } } }, footer },
  );
const gateway = (type: string, members: Member) => ({
  type: 'payment_gateway',
  payment_gateway: { type, configuration_name: 'my-payment-config-name', ...members },
});
const orderButton = (order_details: Member) =>
  button('order_details', 0, { type: 'action', action: { order_details } });

const examples: readonly [page: string, ...Message[]][] = [
  [
    'payments/payments-br/boleto',
    paidBy({ type: 'boleto', boleto: { digitable_line: '03399026944140000002628346101018898510000008848' } }),
  ],
  [
    'payments/payments-br/one-click-payments',
    paidBy({ type: 'offsite_card_pay', offsite_card_pay: { last_four_digits: '5235', credential_id: '1234567' } }),
  ],
  ['payments/payments-br/payment-links', paidBy({ type: 'payment_link', payment_link: { uri: shop } })],
  [
    'payments/payments-br/offsite-pix',
    paidBy({
      type: 'pix_dynamic_code',
      pix_dynamic_code: { code: '000201', merchant_name: 'Shop', key: '39580525000189', key_type: 'CNPJ' },
    }),
  ],
  [
    'payments/payments-in/pg',
    interactive(
      'order_details',
      {
        name: 'review_and_pay',
        parameters: {
          reference_id: 'abc',
          type: 'digital-goods',
          payment_type: 'upi',
          payment_configuration: 'my-payment-config-name',
          currency: 'INR',
          total_amount: amount,
          order: priced.order,
        },
      },
      { header: picture('bread'), footer },
    ),
  ],
  [
    'business-scoped-user-ids',
    interactive('request_contact_info', { name: 'request_contact_info' }),
    { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
  ],
  [
    'messages/image-messages, by address',
    ...['image', 'audio', 'video', 'sticker', 'document'].map((type) => ({ type, [type]: { link: `${shop}/a` } })),
    ...['image', 'video', 'document'].map((type) => ({ type, [type]: { link: `${shop}/a`, caption: 'Look' } })),
  ],
  [
    'messages/reaction-messages, without an emoji',
    { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '' } },
  ],
  [
    'templates/template-media',
    template('order', 'en_US', [
      { type: 'header', parameters: [{ type: 'image', image: { link: `${shop}/a.png` } }] },
      {
        type: 'body',
        parameters: [
          ...texts('Text'),
          { type: 'currency', currency: { fallback_value: '$100.99', code: 'USD', amount_1000: 100_990 } },
          {
            type: 'date_time',
            date_time: {
              fallback_value: 'February 25',
              day_of_week: 5,
              month: 2,
              day_of_month: 25,
              year: 1977,
              hour: 15,
              minute: 33,
              calendar: 'GREGORIAN',
            },
          },
        ],
      },
      button('quick_reply', '0', payload('one')),
      button('quick_reply', '1', payload('two')),
    ]),
  ],
  [
    'flows/guides/flows-templates',
    template('book_table', 'en_US', [
      button('flow', '0', { type: 'action', action: { flow_token: 'TOKEN', flow_action_data: { guests: 2 } } }),
    ]),
  ],
  [
    'messages/text-messages',
    { type: 'text', text: { preview_url: true, body: 'https://www.meta.com/quest/quest-3/' } },
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
  ['messages/image-messages', { type: 'image', image: { id: '1479537139650973', caption: 'The best succulent?' } }],
  ['messages/video-messages', { type: 'video', video: { id: '1166846181421424', caption: 'An eclipse' } }],
  ['messages/audio-messages', { type: 'audio', audio: { id: '1013859600285441', voice: true } }],
  [
    'messages/document-messages',
    { type: 'document', document: { id: '1376223850470843', filename: 'order_abc123.pdf', caption: 'Your order' } },
  ],
  ['messages/sticker-messages', { type: 'sticker', sticker: { id: '798882015472548' } }],
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
    'messages/contacts-messages',
    {
      type: 'contacts',
      contacts: [
        {
          addresses: [
            {
              street: '1 Hacker Way',
              city: 'Menlo Park',
              state: 'CA',
              zip: '94025',
              country: 'United States',
              country_code: 'US',
              type: 'Pop-Up',
            },
          ],
          birthday: '1999-01-23',
          emails: [{ email: 'bjohnson@luckyshrub.com', type: 'Work (old)' }],
          name: {
            formatted_name: 'Barbara J. Johnson',
            first_name: 'Barbara',
            middle_name: 'J.',
            last_name: 'Johnson',
            suffix: 'Esq.',
            prefix: 'Dr.',
          },
          org: { company: 'Lucky Shrub', department: 'Legal', title: 'Lead Counsel' },
          phones: [
            { phone: '+16505559999', type: 'Landline' },
            { phone: '+19175559999', type: 'Mobile', wa_id: '19175559999' },
          ],
          urls: [{ url: shop, type: 'Company' }],
        },
      ],
    },
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
    'direct-send/media-headers',
    ...[
      { type: 'video', video: { id: '2762702990552401' } },
      { type: 'document', document: { id: '2762702990552402', filename: 'workshop.pdf' } },
    ].map((header) =>
      interactive('button', { buttons: [{ type: 'reply', reply: { id: 'change', title: 'Change' } }] }, { header }),
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
    'messages/address-messages',
    addressMessage({}),
    addressMessage({ values: { name: 'Customer', phone_number: '+919000090000' } }),
    addressMessage({ saved_addresses: [{ id: 'address1', value: address }] }),
    addressMessage({
      values: { ...address, in_pin_code: '666666' },
      validation_errors: { in_pin_code: 'There is no such code.' },
    }),
  ],
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
    'messages/interactive-product-carousel-messages',
    interactive('carousel', { cards: [productCard(0, 'abc123xyz'), productCard(1, 'def456uvw')] }),
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
    'templates/tap-target-url-title-override',
    template('august_promotion', 'en', [
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://www.luckyshrubs.com' } }] },
      body('Hello Andy...'),
      {
        type: 'tap_target_configuration',
        parameters: [
          {
            type: 'tap_target_configuration',
            tap_target_configuration: [{ url: 'https://www.luckyshrubs.com/', title: 'Offer Details' }],
          },
        ],
      },
    ]),
  ],
  [
    'templates/authentication-templates/copy-code-button-authentication-templates',
    template('verification_code', 'en_US', [body('J$FpnYnP'), button('url', '0', ...texts('J$FpnYnP'))]),
  ],
  [
    'templates/marketing-templates/catalog-templates',
    template('intro_catalog_offer', 'en_US', [
      body('100', '400', '3'),
      button('CATALOG', 0, { type: 'action', action: { thumbnail_product_retailer_id: '2lc20305pt' } }),
    ]),
  ],
  [
    'templates/marketing-templates/coupon-templates',
    template('coupon_code_fall2023_25off', 'en_US', [
      body('25OFF', '25%'),
      button('COPY_CODE', 1, { type: 'coupon_code', coupon_code: '25OFF' }),
    ]),
  ],
  [
    'templates/marketing-templates/custom-marketing-templates',
    template('welcome_discount_template', 'en_US', [
      imageHeader('1339522734477770'),
      { type: 'body', parameters: namedTexts({ first_name: 'Jessica', discount_code: 'WELCOME25' }) },
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
  [
    'templates/marketing-templates/media-card-carousel-templates',
    template('carousel_template_media_cards_v1', 'en_US', [
      body('Pablo', '20%', '20OFF'),
      {
        type: 'carousel',
        cards: ['1558081531584829', '861236878885705'].map((id, card_index) => ({
          card_index,
          components: [
            imageHeader(id),
            button('quick_reply', '0', payload('more-aloes')),
            button('url', '1', ...texts('blue-elf')),
          ],
        })),
      },
    ]),
  ],
  [
    'templates/marketing-templates/mpm-templates',
    template('abandoned_cart', 'en_US', [
      { type: 'header', parameters: texts('Pablo') },
      body('10OFF'),
      button('mpm', 0, {
        type: 'action',
        action: {
          thumbnail_product_retailer_id: '2lc20305pt',
          sections: [{ title: 'Popular Bundles', product_items: [{ product_retailer_id: '2lc20305pt' }] }],
        },
      }),
    ]),
  ],
  [
    'templates/marketing-templates/product-card-carousel-templates',
    template('carousel_template_product_cards_v1', 'en_US', [
      body('Pablo'),
      {
        type: 'carousel',
        cards: ['vrpj01fvwp', 'va2l5ioeat'].map((id, card_index) => ({ card_index, components: [catalogProduct(id)] })),
      },
    ]),
  ],
  [
    'templates/marketing-templates/spm-templates',
    template('spm_template_named_params', 'en_US', [
      catalogProduct('nqryix03ez'),
      { type: 'body', parameters: namedTexts({ code: '25OFF', percent: '25%' }) },
    ]),
  ],
  [
    'templates/utility-templates/utility-templates',
    template('reservation_confirmation', 'en_US', [
      imageHeader('2871834006348767'),
      { type: 'body', parameters: namedTexts({ number_of_guests: '4', day: 'Saturday', time: '7:30 pm' }) },
    ]),
  ],
  [
    'templates/utility-templates/location-templates, with a policy',
    {
      type: 'template',
      template: {
        name: 'order_delivery_update',
        language: { policy: 'deterministic', code: 'en_US' },
        components: [{ type: 'body', parameters: namedTexts({ customer_name: 'Jane', order_number: '892104' }) }],
      },
    },
  ],
  [
    'templates/components, a named parameter in an address',
    template('order', 'en_US', [button('url', '0', ...namedTexts({ customer_name: 'Gon%C3%A7alves' }))]),
  ],
  [
    'payments/payments-in/pg, by a gateway',
    paidBy({
      type: 'payment_gateway',
      payment_gateway: {
        type: 'razorpay',
        configuration_name: 'my-payment-config-name',
        razorpay: { receipt: 'receipt', notes: { key: 'value' } },
      },
    }),
  ],
  [
    'payments/payments-in/pg, the status of an order',
    interactive('order_status', {
      name: 'review_order',
      parameters: { reference_id: 'abc', order: { status: 'processing', description: 'Soon' } },
    }),
  ],
  [
    'payments/payments-br/orderdetailstemplate',
    template('order', 'pt_BR', [button('order_details', 0, { type: 'action', action: { order_details: order } })]),
  ],
  [
    'payments/payments-in/orderstatustemplate',
    template('order_status', 'en', [
      {
        type: 'order_status',
        parameters: [{ type: 'order_status', order_status: { reference_id: 'abc', order: { status: 'shipped' } } }],
      },
    ]),
  ],
  [
    'payments/payments-br/orders',
    interactive('order_details', { name: 'review_and_pay', parameters: order }),
    interactive('order_status', {
      name: 'review_order',
      parameters: { reference_id: 'abc', order: { status: 'shipped' } },
    }),
    interactive(
      'order_details',
      { name: 'review_and_pay', parameters: withoutItems },
      { header: picture('cake'), footer },
    ),
  ],
  [
    'payments/payments-in/pg, by each gateway',
    paidInIndia(gateway('billdesk', { billdesk: { additional_info1: 'a', additional_info7: 'g' } })),
    paidInIndia(gateway('razorpay', { razorpay: { receipt: 'receipt', notes: { key1: 'value1' } } })),
    paidInIndia(gateway('payu', { payu: { udf1: 'a', udf4: 'd' } })),
    paidInIndia(gateway('zaakpay', { zaakpay: { extra1: 'a', extra2: 'b' } })),
    paidInIndia(gateway('razorpay', { preferred_payment_methods: [{ method: 'com.example' }] })),
  ],
  [
    'payments/payments-in/pg, by the account of the contact',
    ...['razorpay', 'payu'].map((type) => paidInIndia({ type, [type]: { encrypted_payment_gateway_data: 'a1b2' } })),
  ],
  [
    'payments/payments-in/upi-intent/dynamic-vpa',
    paidInIndia({ type: 'upi_intent_link', upi_intent_link: { link: 'upi://pay?pa=shop&pn=Lucky%20Shrub' } }),
  ],
  ['payments/payments-in/payment-links', paidInIndia({ type: 'payment_link', payment_link: { uri: `${shop}/pay/1` } })],
  [
    'payments/payments-in/enhanced-payment-links',
    interactive('cta_url', {
      name: 'cta_url',
      parameters: { display_text: 'Pay now', url: `${shop}/pay/1`, payment_link_preview: true },
    }),
    template('payment_due', 'en', [
      body('₹100', 'Jan 2029'),
      button('URL', 0, { type: 'text', text: '1', payment_link_preview: true }),
    ]),
  ],
  [
    'payments/payments-in/checkout-button-templates',
    template('item_back_in_stock', 'en_US', [
      imageHeader('1558081531584829'),
      body('Nidhi', 'Blue Elf Aloe'),
      orderButton({
        reference_id: 'abc.123_xyz-1',
        type: 'physical-goods',
        currency: 'INR',
        payment_settings: [gateway('razorpay', {})],
        shipping_info: sentTo,
        order: imported,
        total_amount: amount,
      }),
    ]),
  ],
  [
    'payments/payments-in/orderdetailstemplate',
    template('order', 'en', [
      { type: 'header', parameters: [{ type: 'image', image: { link: `${shop}/a.png` } }] },
      body('Nidhi'),
      orderButton({ ...priced, payment_type: 'upi', payment_configuration: 'my-config', order: imported }),
    ]),
  ],
  [
    'payments/payments-in/orderstatustemplate, with a description',
    template('order_status', 'en', [
      {
        type: 'order_status',
        parameters: [
          {
            type: 'order_status',
            order_status: { reference_id: 'abc', order: { status: 'partially_shipped', description: 'Soon' } },
          },
        ],
      },
    ]),
  ],
  [
    'payments/payments-br/orders, the status of the payment',
    interactive(
      'order_status',
      {
        name: 'review_order',
        parameters: {
          reference_id: 'abc',
          order: { status: 'processing' },
          payment: { status: 'captured', timestamp: 1722445231 },
        },
      },
      { footer },
    ),
  ],
  [
    'business-phone-numbers/phone-numbers, with the hash of an identity',
    { type: 'text', text: { body: 'Hello' }, recipient_identity_key_hash: 'DF2lS5v2W6x=' },
  ],
  [
    'messages/interactive-cta-url-messages, with a video',
    interactive(
      'cta_url',
      { name: 'cta_url', parameters: { display_text: 'See Dates', url: shop } },
      { header: { type: 'video', video: { link: `${shop}/a.mp4` } }, footer },
    ),
  ],
  [
    'templates/marketing-templates/media-card-carousel-templates, with a text in each card',
    template('carousel', 'en_US', [
      body('Pablo'),
      {
        type: 'carousel',
        cards: [0, 1].map((card_index) => ({
          card_index,
          components: [
            imageHeader('1558081531584829'),
            body('10OFF'),
            button('quick_reply', 0, payload('more')),
            button('url', 1, ...texts('blue-elf')),
          ],
        })),
      },
    ]),
  ],
  [
    'flows/guides/sendingaflow, without data',
    template('book_table', 'en', [
      button('flow', '0', { type: 'action', action: { flow_token: 'TOKEN', flow_action_data: {} } }),
    ]),
  ],
  [
    'marketing-messages/send-marketing-messages',
    {
      ...template('summer_sale', 'en_US', []),
      product_policy: 'CLOUD_API_FALLBACK',
      message_activity_sharing: true,
    },
  ],
  [
    'Postman: a place in numbers (https://github.com/WhatsApp/WhatsApp-Flows-Tools, postman/v1)',
    {
      type: 'location',
      location: { latitude: 37.44, longitude: -122.16, name: 'Philz Coffee', address: '101 Forest' },
    },
  ],
  [
    'a preview beside the text (https://github.com/fbsamples/whatsapp-api-examples, send-messages-flight-app-python)',
    { type: 'text', preview_url: false, text: { body: 'Hello' } },
  ],
];

it.each(examples)(`${limitPages}%s`, (_, ...messages) => {
  const templates = new Templates(new Map());
  for (const message of messages) {
    const params = new Map(Object.entries(message));
    const content = readContent(params);
    const type = message.recipient_type === 'group' ? 'group' : 'individual';
    assertForRecipient({ input: '', type, contact: undefined }, content);
    if (content.type === 'template') templates.assertFits(content.content, null);
  }
});

it('the simulated platform takes no order details inside order_details, as only the Postman collection has them, for Singapore', () => {
  const { action } = Object(paidBy().interactive);
  const order_details = { body: { text: 'Your order' }, action: { ...action.parameters, currency: 'SGD' } };
  const params = new Map(
    Object.entries({ type: 'interactive', interactive: { type: 'order_details', order_details } }),
  );
  expect(() => readContent(params)).toThrow('body');
});

const apps = [{ package_name: 'com.example', signature_hash: 'K8a/AINcGX7' }];

/** The definitions on the same pages, each with the message that sends it. */
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
    'templates/utility-templates/utility-templates',
    {
      parameter_format: 'named',
      components: [
        { type: 'header', format: 'image' },
        { type: 'body', text: 'For {{number_of_guests}} people on {{day}}.' },
        { type: 'footer', text: 'Lucky Shrub' },
        { type: 'buttons', buttons: [{ type: 'url', text: 'Change', url: shop }] },
      ],
    },
    [
      imageHeader('2871834006348767'),
      { type: 'body', parameters: namedTexts({ number_of_guests: '4', day: 'Friday' }) },
    ],
  ],
  [
    'templates/marketing-templates/coupon-templates, with names',
    {
      category: 'MARKETING',
      parameter_format: 'named',
      components: [
        {
          type: 'BODY',
          text: 'Use {{coupon_code}} to get {{discount}} off.',
          example: {
            body_text_named_params: [
              { param_name: 'coupon_code', example: 'WINTER25' },
              { param_name: 'discount', example: '30%' },
            ],
          },
        },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Unsubscribe' },
            { type: 'COPY_CODE', example: 'WINTER25' },
          ],
        },
      ],
    },
    [
      { type: 'body', parameters: namedTexts({ coupon_code: 'WINTER25', discount: '30%' }) },
      button('copy_code', 1, { type: 'coupon_code', coupon_code: 'WINTER25' }),
    ],
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
    'templates/components, with a document',
    {
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: ['4::YX'] } },
        {
          type: 'BODY',
          text: 'Thank you, {{1}}! Your order is {{2}}.',
          example: { body_text: [['Pablo', '860198-230332']] },
        },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'PHONE_NUMBER', text: 'Call', phone_number: '16467043595' },
            { type: 'URL', text: 'Contact Support', url: `${shop}/support` },
          ],
        },
      ],
    },
    [
      {
        type: 'header',
        parameters: [{ type: 'document', document: { id: '1602186516975000', filename: 'receipt.pdf' } }],
      },
      body('Pablo', '860198-230332'),
    ],
  ],
  [
    'templates/authentication-templates, in capitals',
    {
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 10 },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', autofill_text: 'Autofill', supported_apps: apps },
          ],
        },
      ],
    },
    [body('J$FpnYnP'), button('url', '0', ...texts('J$FpnYnP'))],
  ],
  ...[
    { otp_type: 'copy_code' },
    { otp_type: 'one_tap', autofill_text: 'Autofill', supported_apps: apps },
    { otp_type: 'one_tap', autofill_text: 'Autofill', package_name: 'com.example', signature_hash: 'K8a/AINcGX7' },
    { otp_type: 'zero_tap', autofill_text: 'Autofill', zero_tap_terms_accepted: true, supported_apps: apps },
  ].map((otp): [string, Member, Member[]] => [
    'templates/authentication-templates',
    {
      category: 'authentication',
      message_send_ttl_seconds: 60,
      components: [
        { type: 'body', add_security_recommendation: true },
        { type: 'footer', code_expiration_minutes: 5 },
        { type: 'buttons', buttons: [{ type: 'otp', text: 'Copy Code', ...otp }] },
      ],
    },
    [body('J$FpnYnP'), button('url', '0', ...texts('J$FpnYnP'))],
  ]),
  [
    'templates/marketing-templates/catalog-templates',
    {
      components: [
        {
          type: 'BODY',
          text: '{{1}} off above {{2}} for {{3}} orders.',
          example: { body_text: [['100', '400', '3']] },
        },
        { type: 'FOOTER', text: 'Best deals' },
        { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'View catalog' }] },
      ],
    },
    [
      body('100', '400', '3'),
      button('CATALOG', 0, { type: 'action', action: { thumbnail_product_retailer_id: '2lc20305pt' } }),
    ],
  ],
  [
    'templates/marketing-templates/mpm-templates',
    {
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Forget something, {{1}}?', example: { header_text: ['Pablo'] } },
        { type: 'BODY', text: 'Use {{1}} to get 10% off!', example: { body_text: [['10OFF']] } },
        { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] },
      ],
    },
    [
      { type: 'header', parameters: texts('Pablo') },
      body('10OFF'),
      button('mpm', 0, {
        type: 'action',
        action: {
          thumbnail_product_retailer_id: '2lc20305pt',
          sections: [{ title: 'Bundles', product_items: [{ product_retailer_id: '2lc20305pt' }] }],
        },
      }),
    ],
  ],
  [
    'templates/marketing-templates/spm-templates',
    {
      parameter_format: 'named',
      components: [
        { type: 'header', format: 'product' },
        { type: 'body', text: 'Use {{code}} to get {{percent}} off!' },
        { type: 'footer', text: 'Soon over' },
        { type: 'buttons', buttons: [{ type: 'spm', text: 'View' }] },
      ],
    },
    [catalogProduct('nqryix03ez'), { type: 'body', parameters: namedTexts({ code: '25OFF', percent: '25%' }) }],
  ],
  [
    'templates/marketing-templates/limited-time-offer-templates',
    {
      components: [
        { type: 'header', format: 'image', example: { header_handle: ['4::aW'] } },
        { type: 'limited_time_offer', limited_time_offer: { text: 'Expiring offer!', has_expiration: true } },
        { type: 'body', text: 'Good news, {{1}}! Use {{2}}.', example: { body_text: [['Pablo', 'CARIBE25']] } },
        {
          type: 'buttons',
          buttons: [
            { type: 'copy_code', example: 'CARIBE25' },
            {
              type: 'url',
              text: 'Book now!',
              url: `${shop}/offers?code={{1}}`,
              example: [`${shop}/offers?ref=n3mtql`],
            },
          ],
        },
      ],
    },
    [
      imageHeader('1602186516975000'),
      body('Pablo', 'CARIBE25'),
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_209_600_000 } }],
      },
      button('copy_code', 0, { type: 'coupon_code', coupon_code: 'CARIBE25' }),
      button('url', 1, ...texts('n3mtql')),
    ],
  ],
  [
    'templates/marketing-templates/media-card-carousel-templates',
    {
      components: [
        { type: 'body', text: '{{1}}, get {{2}} with {{3}}.', example: { body_text: [['Pablo', '30%', '30OFF']] } },
        {
          type: 'carousel',
          cards: ['BLUE_ELF', 'BUDDHA'].map((plant) => ({
            components: [
              { type: 'header', format: 'image', example: { header_handle: ['4::an'] } },
              {
                type: 'buttons',
                buttons: [
                  { type: 'quick_reply', text: 'More' },
                  { type: 'url', text: 'Shop', url: `${shop}/{{1}}`, example: [plant] },
                ],
              },
            ],
          })),
        },
      ],
    },
    [
      body('Pablo', '20%', '20OFF'),
      {
        type: 'carousel',
        cards: ['1558081531584829', '861236878885705'].map((id, card_index) => ({
          card_index,
          components: [
            imageHeader(id),
            button('quick_reply', '0', payload('more-aloes')),
            button('url', '1', ...texts('blue-elf')),
          ],
        })),
      },
    ],
  ],
  [
    'templates/marketing-templates/product-card-carousel-templates',
    {
      components: [
        { type: 'body', text: 'Rare plants, {{1}}!', example: { body_text: 'Pablo' } },
        {
          type: 'carousel',
          cards: [1, 2].map(() => ({
            components: [
              { type: 'header', format: 'product' },
              { type: 'buttons', buttons: [{ type: 'spm', text: 'View' }] },
            ],
          })),
        },
      ],
    },
    [
      body('Pablo'),
      {
        type: 'carousel',
        cards: ['vrpj01fvwp', 'va2l5ioeat'].map((id, card_index) => ({ card_index, components: [catalogProduct(id)] })),
      },
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
  [
    'templates/marketing-templates/call-permission-request-message-template',
    {
      parameter_format: 'named',
      components: [{ type: 'body', text: 'Hi {{first_name}}, may we call?' }, { type: 'call_permission_request' }],
    },
    [{ type: 'body', parameters: namedTexts({ first_name: 'Pablo' }) }],
  ],
  [
    'calling/call-button-messages-deep-links',
    {
      components: [
        { type: 'BODY', text: 'You can call us.' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'voice_call', text: 'Call Now', ttl_minutes: 1440 },
            { type: 'URL', text: 'Contact Support', url: `${shop}/support` },
          ],
        },
      ],
    },
    [
      {
        type: 'button',
        sub_type: 'voice_call',
        parameters: [{ type: 'ttl_minutes', ttl_minutes: 100 }, payload('payload data')],
      },
    ],
  ],
  [
    'business-scoped-user-ids',
    {
      components: [
        { type: 'body', text: 'Your number?' },
        { type: 'buttons', buttons: [{ type: 'REQUEST_CONTACT_INFO' }] },
      ],
    },
    [],
  ],
  [
    'marketing-messages/deep-links',
    {
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Look' },
        {
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'Open',
              url: shop,
              app_deep_link: {
                meta_app_id: 2892949377516980,
                android_deep_link: 'luckyshrub://deals',
                android_fallback_playstore_url: 'https://play.google.com/store/apps/details?id=com.example',
              },
            },
          ],
        },
      ],
    },
    [],
  ],
  [
    'marketing-messages/send-marketing-messages',
    {
      category: 'MARKETING',
      degrees_of_freedom_spec: { creative_features_spec: { image_touchups: { enroll_status: 'OPT_IN' } } },
      components: [{ type: 'BODY', text: 'Look' }],
    },
    [],
  ],
  [
    'payments/payments-in/orderdetailstemplate',
    {
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW'] } },
        { type: 'BODY', text: 'Your order, {{1}}', example: { body_text: [['Nidhi']] } },
        { type: 'BUTTONS', buttons: [{ type: 'ORDER_DETAILS', text: 'Review and Pay' }] },
      ],
    },
    [imageHeader('1558081531584829'), body('Nidhi'), orderButton({ ...priced, order: imported })],
  ],
  [
    'payments/payments-in/orderstatustemplate',
    {
      category: 'UTILITY',
      sub_category: 'ORDER_STATUS',
      components: [
        { type: 'BODY', text: 'Your order is {{1}}', example: { body_text: [['on its way']] } },
        { type: 'FOOTER', text: 'Thank you' },
      ],
    },
    [
      body('on its way'),
      {
        type: 'order_status',
        parameters: [{ type: 'order_status', order_status: { reference_id: 'abc', order: { status: 'shipped' } } }],
      },
    ],
  ],
  [
    'payments/payments-in/enhanced-payment-links',
    {
      category: 'UTILITY',
      components: [
        { type: 'BODY', text: '{{1}} is due', example: { body_text: [['₹100']] } },
        {
          type: 'BUTTONS',
          buttons: [{ type: 'URL', text: 'Pay', url: `${shop}/{{1}}`, example: ['1'], payment_link_preview: true }],
        },
      ],
    },
    [body('₹100'), button('URL', 0, { type: 'text', text: '1', payment_link_preview: true })],
  ],
  [
    'templates/time-to-live, in a text',
    {
      category: 'AUTHENTICATION',
      message_send_ttl_seconds: '60',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
      ],
    },
    [body('J$FpnYnP'), button('url', '0', ...texts('J$FpnYnP'))],
  ],
  [
    'templates/marketing-templates/media-card-carousel-templates, with a phone number',
    {
      components: [
        { type: 'body', text: 'Rare plants' },
        {
          type: 'carousel',
          cards: [0, 1].map(() => ({
            components: [
              { type: 'header', format: 'image', example: { header_handle: ['4::an'] } },
              { type: 'body', text: 'Only {{1}}', example: { body_text: [['$10']] } },
              { type: 'buttons', buttons: [{ type: 'phone_number', text: 'Call', phone_number: '+15550051310' }] },
            ],
          })),
        },
      ],
    },
    [
      {
        type: 'carousel',
        cards: [0, 1].map((card_index) => ({ card_index, components: [imageHeader('1'), body('$10')] })),
      },
    ],
  ],
  ...[{ flow_id: '1' }, { flow_name: 'flow' }, { flow_json: '{"version":"5.0","screens":[]}' }].map(
    (which): [string, Member, Member[]] => [
      'flows/guides/flows-templates',
      {
        components: [
          { type: 'body', text: 'Check out this offer' },
          {
            type: 'BUTTONS',
            buttons: [{ type: 'FLOW', text: 'Look!', navigate_screen: 'FIRST', flow_action: 'navigate', ...which }],
          },
        ],
      },
      [button('flow', '0', { type: 'action', action: { flow_token: 'TOKEN', flow_action_data: { guests: 2 } } })],
    ],
  ),
])(`a definition of ${limitPages}%s`, (_, definition, components) => {
  const templates = new Templates(new Map());
  templates.declare(declarationSchema.parse({ name: 'example', language: 'en_US', ...definition }));
  expect(() => templates.assertFits({ name: 'example', language: { code: 'en_US' }, components }, null)).not.toThrow();
});
