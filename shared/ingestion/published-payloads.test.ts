import { describe, expect, it } from 'vitest';
import { deliveredTexts, lostMembers } from '#support/lost-members.ts';

/**
 * The shapes of payloads that Meta's pages and other projects show, with as much of their content as makes the shape.
 * Paths are those below https://developers.facebook.com/documentation/business-messaging/whatsapp/.
 */
interface Published {
  readonly what: string;
  readonly source: string;
  readonly field: string;
  readonly value: object;
  /** How many notifications come of it. */
  readonly count?: number;
}

const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };
const ofNumber = (members: object) => ({ messaging_product: 'whatsapp', metadata, ...members });

const pablo = {
  profile: { name: 'Pablo M.', username: 'pablomorales' },
  wa_id: '16505551234',
  user_id: 'US.13491208655302741918',
  parent_user_id: 'US.ENT.11815799212886844830',
};
const sender = { from: pablo.wa_id, from_user_id: pablo.user_id, from_parent_user_id: pablo.parent_user_id };
const sent = { id: 'wamid.HBgL', timestamp: '1750030073' };
const text = { ...sent, type: 'text', text: { body: 'Hello' } };
const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' };
const shortLived = 'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1';
const toGroup = { recipient_id: 'Y2FwaV9ncm91cDox', recipient_type: 'group' };
const postman = 'https://github.com/WhatsApp/WhatsApp-Flows-Tools, postman/v1, Webhook Payload Reference';
const openapi = 'https://github.com/facebook/openapi, business-messaging-api_v23.0.yaml, webhooks';
const pywa = 'https://github.com/david-lev/pywa, tests/data/updates';
const details = { details: 'It failed' };
const errors = [{ code: 131000, title: 'Failed', message: 'Failed', error_data: details }];

const message = (members: object, beside: object = {}) =>
  ofNumber({ contacts: [pablo], messages: [{ ...sender, ...sent, ...members }], ...beside });
const status = (members: object, contacts: object = { contacts: [pablo] }) =>
  ofNumber({ ...contacts, statuses: [{ ...sent, status: 'delivered', ...members }] });

const messages: Omit<Published, 'field'>[] = [
  {
    what: 'a summary beside a message',
    source: 'conversation-routing/conversation-context',
    value: message(text, { conversation_context: { type: 'summary', summary: { text: 'An order is late' } } }),
  },
  {
    what: 'a person who hides the phone number',
    source: 'business-scoped-user-ids, Incoming messages webhooks',
    value: ofNumber({
      contacts: [{ profile: pablo.profile, user_id: pablo.user_id, parent_user_id: pablo.parent_user_id }],
      messages: [{ from_user_id: pablo.user_id, from_parent_user_id: pablo.parent_user_id, ...text }],
    }),
  },
  {
    what: 'a click on an ad',
    source: 'webhooks/reference/messages/text and ctwa/welcome-message-sequences',
    value: message({
      ...text,
      referral: {
        source_url: 'https://fb.me/1',
        source_id: '120226305854810726',
        source_type: 'ad',
        media_type: 'image',
        image_url: 'https://scontent.example.com/ad.jpg',
        thumbnail_url: 'https://scontent.example.com/thumbnail.jpg',
        ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e',
        welcome_message: { text: 'Hi there!' },
        ref: 'REF_ID',
      },
    }),
  },
  {
    what: 'a question about a product, forwarded',
    source: 'webhooks/reference/messages/text, Message business button',
    value: message({
      ...text,
      context: {
        from: '15550783881',
        id: 'wamid.1',
        forwarded: true,
        referred_product: { catalog_id: '194836987003835', product_retailer_id: 'di9ozbzfi4' },
      },
    }),
  },
  {
    what: 'a reply to a button, with a logical id',
    source: 'templates/authentication-templates',
    value: message({ from_logical_id: '131063108133020', type: 'button', button: { payload: 'DONE', text: 'Done' } }),
  },
  {
    what: 'a voicemail, with the id of its call',
    source: 'calling/call-settings',
    value: message({
      id: 'wacid.HBgL',
      type: 'audio',
      audio: { id: '1002764438271669', sha256: 'Y9vvGyeo3n76', mime_type: 'audio/ogg; codecs=opus' },
    }),
  },
  {
    what: 'a contact card of a direct share',
    source: 'business-scoped-user-ids, Contacts webhook',
    value: message({
      type: 'contacts',
      contacts: [{ origin: 'other', vcard: 'BEGIN:VCARD', phones: [{ phone: '+1' }] }],
    }),
  },
  {
    what: 'an address',
    source: 'messages/address-messages',
    value: message({
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'address_message', body: 'CA', response_json: '{"values":{}}' },
      },
    }),
  },
  {
    what: 'a new user id',
    source: 'business-scoped-user-ids, System messages webhooks',
    value: ofNumber({
      messages: [
        {
          ...sent,
          type: 'system',
          system: {
            body: 'A user changed',
            type: 'user_changed_user_id',
            wa_id: '16505559876',
            user_id: 'US.2',
            parent_user_id: 'US.ENT.2',
            previous_user_id: 'US.1',
            previous_parent_user_id: 'US.ENT.1',
          },
        },
      ],
    }),
  },
  {
    what: 'a new identity',
    source: `${pywa}/system.json`,
    value: message({
      type: 'system',
      identity: { acknowledged: true, created_timestamp: '1697044706', hash: 'xyzxyz' },
      system: { body: 'The identity changed', type: 'customer_identity_changed' },
    }),
  },
  {
    what: 'the start of a chat',
    source: `${pywa}/chat_opened.json`,
    value: message({ type: 'request_welcome' }),
  },
  {
    what: 'an unsupported message to a group, without its type',
    source: 'groups/groups-messaging',
    value: message({
      group_id: toGroup.recipient_id,
      type: 'unsupported',
      errors: [{ code: 131051, title: 'Unsupported' }],
    }),
  },
  {
    what: 'a click in a marketing message',
    source: 'marketing-messages/track-click-events',
    value: ofNumber({
      user_actions: [
        {
          action_type: 'marketing_messages_link_click',
          timestamp: '1755665204',
          marketing_messages_link_click_data: { click_component: 'cta', click_id: 'IwAR7', tracking_token: 'AQJD' },
        },
      ],
    }),
  },
  {
    what: 'a read by two participants of a group, with prices inside the conversation',
    source: 'groups/webhooks, Multiple participants, single message',
    count: 2,
    value: ofNumber({
      statuses: ['16505551234', '16505551235'].map((recipient_participant_id) => ({
        ...sent,
        status: 'read',
        ...toGroup,
        recipient_participant_id,
        conversation: { id: '72b1', origin: { type: 'group_marketing' }, pricing: { category: 'group_marketing' } },
      })),
    }),
  },
  {
    what: 'a read by three participants of a group, in the other spelling',
    source: 'groups/webhooks, Group message read',
    count: 3,
    value: ofNumber({
      statuses: ['16505551234', '16505551235', '16505551236'].map((participant_recipient_id) => ({
        ...sent,
        status: 'read',
        ...toGroup,
        participant_recipient_id,
      })),
    }),
  },
  {
    what: 'two messages that one participant of a group got',
    source: 'groups/webhooks, Multiple messages, single participant',
    count: 2,
    value: ofNumber({
      statuses: ['wamid.1', 'wamid.2'].map((id) => ({
        ...sent,
        id,
        status: 'delivered',
        ...toGroup,
        recipient_participant_id: pablo.wa_id,
      })),
    }),
  },
  {
    what: 'a message from a group',
    source: 'webhooks/reference/messages/group',
    value: message({ ...text, group_id: toGroup.recipient_id }),
  },
  {
    what: 'a picture whose caption was edited',
    source: 'business-scoped-user-ids, Edit messages webhooks',
    value: message({
      type: 'edit',
      edit: {
        original_message_id: 'wamid.1',
        message: {
          context: { id: 'M0' },
          type: 'image',
          image: { caption: 'New', mime_type: 'image/jpeg', sha256: 'a1b2', id: '1234567890', url: shortLived },
        },
      },
    }),
  },
  {
    what: 'a message that was deleted for everyone',
    source: 'business-scoped-user-ids, Revoke messages webhooks',
    value: message({ type: 'revoke', revoke: { original_message_id: 'wamid.1' } }),
  },
  {
    what: 'the user ids of a participant of a group',
    source: 'business-scoped-user-ids, Status messages webhooks for groups',
    value: status({
      ...toGroup,
      recipient_participant_id: pablo.wa_id,
      recipient_participant_user_id: pablo.user_id,
      recipient_participant_parent_user_id: pablo.parent_user_id,
      pricing,
    }),
  },
  ...['recipient_parent_user_id', 'parent_recipient_user_id', 'parent_user_id'].map((spelling) => ({
    what: `the parent id of a recipient as ${spelling}`,
    source: 'business-scoped-user-ids, Status messages webhooks',
    value: status({ recipient_user_id: pablo.user_id, [spelling]: pablo.parent_user_id, pricing }, {}),
  })),
  {
    what: 'a message that is free inside the window',
    source: 'pricing, until September 2026',
    value: status({ pricing: { ...pricing, billable: false, type: 'free_customer_service', category: 'service' } }),
  },
  {
    what: 'the same message since October 2026',
    source: 'pricing',
    value: status({ pricing: { ...pricing, category: 'service' } }),
  },
  {
    what: 'a template of a message without one',
    source: 'direct-send/supported-message-types',
    value: status({ template_id: 1213485583768734, biz_opaque_callback_data: 'order 1', pricing }),
  },
  {
    what: 'the hash of an identity, and a conversation that expires',
    source: 'webhooks/reference/messages/status',
    value: status({
      status: 'sent',
      recipient_identity_key_hash: 'DF2lS5v2W6x',
      conversation: { id: '7270', expiration_timestamp: '1698339900', origin: { type: 'service' } },
    }),
  },
  {
    what: 'an order',
    source: 'catalogs/mpm-template-messages, Sample webhook',
    value: message({
      type: 'order',
      order: {
        catalog_id: '1537566713439863',
        product_items: [{ product_retailer_id: 'n6k6x0y7oe', quantity: 1, item_price: 99.99, currency: 'USD' }],
      },
    }),
  },
  ...[
    { location: { latitude: 37.44, longitude: -122.16, name: 'A café', address: '101 Forest Ave' } },
    { contacts: [{ name: { formatted_name: 'A friend' }, phones: [{ phone: '+1', wa_id: '1', type: 'WORK' }] }] },
  ].map((content) => ({
    what: `${Object.keys(content)} without a type`,
    source: postman,
    value: message(content),
  })),
  {
    what: 'a contact whose number is not that of the sender',
    source: 'get-started, Step 4',
    value: ofNumber({
      contacts: [{ profile: { name: pablo.profile.name }, wa_id: '13557825698' }],
      messages: [{ from: '17863559966', ...text }],
    }),
  },
  {
    what: 'a permission to call, with its end as a text',
    source: 'business-scoped-user-ids, Call permission request webhooks',
    value: message({
      context: { from: '15550783881', id: 'wamid.1' },
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: {
          response: 'accept',
          expiration_timestamp: '1768550400',
          response_source: 'user_action',
        },
      },
    }),
  },
  {
    what: 'a refusal of calls',
    source: `${pywa}/call_permission_update.json`,
    value: message({
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: { response: 'reject', response_source: 'user_action' },
      },
    }),
  },
  {
    what: 'a reaction that was taken back',
    source: 'webhooks/reference/messages/reaction, Sample Webhooks (2 of 2)',
    value: message({ type: 'reaction', reaction: { message_id: 'wamid.1' } }),
  },
  {
    what: 'a text that was forwarded many times',
    source: `${pywa}/message.json`,
    value: message({ ...text, context: { frequently_forwarded: true } }),
  },
  {
    what: 'a click on an ad with a video',
    source: postman,
    value: message({
      ...text,
      referral: {
        source_url: 'https://fb.me/1',
        source_id: '120226305854810726',
        source_type: 'post',
        headline: 'Succulents',
        body: 'All of them',
        media_type: 'video',
        video_url: 'https://scontent.example.com/ad.mp4',
        thumbnail_url: 'https://scontent.example.com/thumbnail.jpg',
      },
    }),
  },
  {
    what: 'a contact card with every part of a name',
    source: postman,
    value: message({
      contacts: [
        {
          name: {
            formatted_name: 'A friend',
            first_name: 'A',
            middle_name: 'good',
            last_name: 'friend',
            prefix: 'Dr.',
            suffix: 'Esq.',
          },
          org: { company: 'Plants', department: 'Legal', title: 'Lead' },
        },
      ],
    }),
  },
  {
    what: 'an unsupported message, with the details beside the code',
    source: postman,
    value: message({ type: 'unsupported', errors: [{ code: 131051, title: 'Unsupported', ...details }] }),
  },
  ...['captured', 'pending', 'failed'].map((state) => ({
    what: `a payment that is ${state}`,
    source: postman,
    value: ofNumber({
      statuses: [{ ...sent, from: pablo.wa_id, type: 'payment', status: state, payment: { reference_id: 'order-1' } }],
    }),
  })),
  {
    what: 'a payment with its transaction, of which a part was paid back',
    source: 'payments/payments-in/pg, and https://developers.kaleyra.io/docs/whatsapp-payments-webhook',
    value: ofNumber({
      statuses: [
        {
          ...sent,
          recipient_id: pablo.wa_id,
          type: 'payment',
          status: 'captured',
          payment: {
            reference_id: 'order-1',
            amount: { value: 450, offset: 100 },
            currency: 'INR',
            receipt: '',
            transaction: {
              id: 'order_SdrcSSqobZ7voR',
              pg_transaction_id: 'pay_RHn0QRA9d1Gh4a',
              type: 'razorpay',
              status: 'success',
              created_timestamp: 1746500000,
              updated_timestamp: 1746500005,
              method: { type: 'upi' },
              refunds: [{ id: 'rfnd_1', amount: { value: 50, offset: 100 }, speed_processed: 'normal' }],
            },
          },
        },
      ],
    }),
  },
  {
    what: 'a payment that the contact confirms',
    source: 'payments/payments-br/one-click-payments',
    value: message({
      from_logical_id: '64244926160970',
      type: 'interactive',
      interactive: {
        type: 'payment_method',
        payment_method: {
          payment_method: 'offsite_card_pay',
          payment_timestamp: 1726170122,
          reference_id: 'order-1',
          last_four_digits: '5235',
          credential_id: '1234567',
        },
      },
    }),
  },
  {
    what: 'a price of a conversation, as it was until July 2025',
    source: 'webhooks/reference/messages, Outgoing messages',
    value: status({
      recipient_id: pablo.wa_id,
      conversation: { id: '6ceb', origin: { type: 'service' } },
      pricing: { billable: true, pricing_model: 'CBP', category: 'service' },
    }),
  },
  {
    what: 'a message that could not be sent to a group',
    source: 'groups/groups-messaging, Group message failed example',
    value: ofNumber({
      statuses: [{ ...sent, status: 'failed', ...toGroup, errors: [{ ...errors[0], href: '/codes' }] }],
    }),
  },
  {
    what: 'a message that a participant of a group got, with its price beside the conversation',
    source: 'groups/webhooks, Group message delivered',
    value: ofNumber({
      statuses: [
        {
          ...sent,
          status: 'delivered',
          ...toGroup,
          participant_recipient_id: pablo.wa_id,
          conversation: { id: '72b1', origin: { type: 'group_marketing' } },
          pricing: { billable: true, pricing_model: 'PMP', category: 'group_marketing' },
        },
      ],
    }),
  },
  {
    what: 'a failure with a contact, which a failed status does not have',
    source: 'webhooks/reference/messages/status',
    value: status({ status: 'failed', errors: [{ code: 130472, title: 'An experiment', message: 'An experiment' }] }),
  },
  {
    what: 'the hash of an identity beside its contact',
    source: 'webhooks/reference/messages/text, Syntax',
    value: ofNumber({
      contacts: [{ profile: { name: 'Pablo M.' }, wa_id: pablo.wa_id, identity_key_hash: 'DF2lS5v2W6x' }],
      messages: [{ from: pablo.wa_id, ...text }],
    }),
  },
  ...['document', 'video'].map((type) => ({
    what: `a ${type} with a caption`,
    source: `webhooks/reference/messages/${type}`,
    value: message({
      type,
      [type]: { caption: 'A plant', filename: 'plant', mime_type: 'a/b', sha256: 'a1b2', id: '1', url: shortLived },
    }),
  })),
  {
    what: 'an identity beside a text, with its time in a number',
    source: postman,
    value: message({
      ...text,
      identity: { acknowledged: true, created_timestamp: 1602532300000, hash: 'Sjvjlx8G6Z0=' },
    }),
  },
  {
    what: 'a message of an unknown type',
    source: postman,
    value: message({ type: 'unknown', errors: [{ code: 130501, title: 'Unsupported', ...details }] }),
  },
  {
    what: 'an order whose numbers are texts',
    source: postman,
    value: message({
      type: 'order',
      context: { from: pablo.wa_id, id: 'wamid.1' },
      order: {
        catalog_id: '194836987003835',
        text: 'Please',
        product_items: [{ product_retailer_id: 'di9ozbzfi4', quantity: '2', item_price: '30', currency: 'USD' }],
      },
    }),
  },
  ...[
    { id: '72b1', expiration_timestamp: '1698339900', origin: { type: 'user_initiated' } },
    { id: '72b1', expiration_timestamp: '1698339900', type: 'referral_conversion' },
  ].map((conversation) => ({
    what: `a conversation as it was until 2023, with ${Object.keys(conversation)}`,
    source: postman,
    value: status({
      status: 'sent',
      recipient_id: pablo.wa_id,
      conversation,
      pricing: { billable: false, pricing_model: 'CBP', category: 'referral_conversion' },
    }),
  })),
  {
    what: 'an address inside an interactive message with an action and a time of its own',
    source: 'messages/address-messages, of March 2026',
    value: message({
      interactive: {
        type: 'interactive',
        action: 'address_message',
        nfm_reply: { name: 'address_message', response_json: '{"values":{}}', body: 'CA' },
        timestamp: '1670394125',
      },
    }),
  },
  {
    what: 'an address that the phone of the contact cannot show, with the recipient inside the message',
    source: 'messages/address-messages, Feature not supported, of March 2026',
    value: ofNumber({
      statuses: [
        {
          ...sent,
          type: 'message',
          status: 'failed',
          recipient_id: pablo.wa_id,
          message: { recipient_id: `+${pablo.wa_id}` },
          errors: [{ code: 1026, title: 'Receiver Incapable', href: '/docs/whatsapp/api/errors' }],
        },
      ],
    }),
  },
  {
    what: 'a phone number that was asked for, with its origin beside the card',
    source: 'business-scoped-user-ids, of March 2026',
    value: message({
      type: 'contacts',
      origin: 'contact_request',
      contacts: [{ vcard: 'BEGIN:VCARD', phones: [{ phone: '+1' }] }],
    }),
  },
  {
    what: 'a payment by a gateway, with its error and what was paid back beside the transaction',
    source: 'payments/payments-in/pg, Step 4, of March 2026',
    value: ofNumber({
      statuses: [
        {
          ...sent,
          recipient_id: pablo.wa_id,
          type: 'payment',
          status: 'captured',
          payment: {
            reference_id: 'order-1',
            amount: { value: 21_000, offset: 100 },
            transaction: {
              id: 'order_1',
              pg_transaction_id: 'pay_1',
              type: 'payu',
              status: 'failed',
              created_timestamp: '1746500000',
              updated_timestamp: '1746500005',
              method: { type: 'card' },
              error: { code: 'E1', reason: 'Declined' },
            },
            currency: 'INR',
            receipt: 'r1',
            notes: { key1: 'a' },
            udf1: 'b',
            additional_info1: 'c',
            refunds: [
              {
                id: 'rfnd_1',
                amount: { value: 100, offset: 100 },
                speed_processed: 'instant',
                status: 'success',
                created_timestamp: '1746500007',
                updated_timestamp: '1746500008',
              },
            ],
          },
        },
      ],
    }),
  },
  {
    what: 'an option that was chosen from a list',
    source: 'webhooks/reference/messages/interactive',
    value: message({
      context: { from: '15550783881', id: 'wamid.1' },
      type: 'interactive',
      interactive: {
        type: 'list_reply',
        list_reply: { id: 'priority_express', title: 'Express', description: 'In two days' },
      },
    }),
  },
  {
    what: 'a sticker that moves',
    source: 'webhooks/reference/messages/sticker',
    value: message({
      type: 'sticker',
      sticker: { mime_type: 'image/webp', sha256: 'a1b2', id: '1908647269898587', url: shortLived, animated: true },
    }),
  },
  {
    what: 'a picture',
    source: 'webhooks/reference/messages/image',
    value: message({
      type: 'image',
      image: { caption: 'A plant', mime_type: 'image/jpeg', sha256: 'a1b2', id: '1003383421387256', url: shortLived },
    }),
  },
  {
    what: 'a place with a website',
    source: 'webhooks/reference/messages/location',
    value: message({
      type: 'location',
      location: {
        address: '101 Forest Ave',
        latitude: 37.44221496582,
        longitude: -122.16165924072,
        name: 'A café',
        url: 'https://example.com/',
      },
    }),
  },
  {
    what: 'a reaction',
    source: 'webhooks/reference/messages/reaction, Sample Webhooks (1 of 2)',
    value: message({ type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } }),
  },
  {
    what: 'a permission to call that WhatsApp gave for a while',
    source: 'calling/user-call-permissions',
    value: message({
      context: { from: '15550783881', id: 'wamid.1' },
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: {
          response: 'accept',
          is_permanent: false,
          expiration_timestamp: '1768550400',
          response_source: 'automatic',
        },
      },
    }),
  },
];

const ofGroup = (members: object) =>
  ofNumber({ groups: [{ timestamp: '1750030073', group_id: toGroup.recipient_id, request_id: 'r1', ...members }] });
const call = (members: object) =>
  ofNumber({ contacts: [pablo], calls: [{ id: 'wacid.1', timestamp: '1671644824', ...members }] });

const wabaInfo = { waba_id: '980198427658004', owner_business_id: '2329417887457253' };
const reference = 'webhooks/reference/account_update';
const directSend = 'direct-send/integrity-and-content-guidelines';
const onboarding = 'embedded-signup/onboarding-business-app-users, Example payload';
const accountUpdates: readonly [what: string, source: string, value: object][] = [
  [
    'an ad account that was linked',
    `${reference}, Ad account linked`,
    { event: 'AD_ACCOUNT_LINKED', waba_info: { ...wabaInfo, ad_account_linked: '980198427534243' } },
  ],
  [
    'rates of authentication abroad',
    `${reference}, Authentication-international eligibility`,
    {
      event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
      auth_international_rate_eligibility: {
        start_time: 1748780624,
        exception_countries: [{ country_code: 'ID', start_time: 1751347424 }],
      },
    },
  ],
  [
    'a verification by a partner',
    `${reference}, Partner-led business verification status`,
    {
      event: 'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
      partner_client_certification_info: {
        client_business_id: '2729063490586005',
        status: 'FAILED',
        rejection_reasons: ['LEGAL_NAME_NOT_FOUND_IN_DOCUMENTS'],
      },
    },
  ],
  [
    'a verification by a partner that succeeded, with none for the reason',
    'solution-providers/partner-led-business-verification',
    {
      event: 'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
      partner_client_certification_info: {
        client_business_id: '2729063490586005',
        status: 'APPROVED',
        rejection_reasons: ['NONE'],
      },
    },
  ],
  [
    'a partner that was removed by the app',
    `${reference}, Partner removed (WhatsApp Business app disconnection)`,
    {
      event: 'PARTNER_REMOVED',
      waba_info: wabaInfo,
      disconnection_info: { initiated_by: 'SYSTEM', reason: 'PRIMARY_INACTIVITY' },
    },
  ],
  [
    'the country of a business',
    `${reference}, Primary business location set`,
    { event: 'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE', country: 'IN' },
  ],
  [
    'an app that was removed, without its account',
    'embedded-signup/app-only-install',
    { event: 'PARTNER_APP_UNINSTALLED' },
  ],
  [
    'a warning about calls',
    'calling/call-settings, Webhook (1 of 3)',
    {
      phone_number: '16505552771',
      event: 'ACCOUNT_VIOLATION',
      violation_info: { violation_type: 'LOW_BUSINESS_INITIATED_CALLING_QUALITY' },
    },
  ],
  [
    'a call button that was hidden',
    'calling/call-settings, Enforcement webhook',
    {
      phone_number: '16505552771',
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN', remediation: 'Answer more calls' },
      ],
    },
  ],
  [
    'a warning about direct messages',
    `${directSend}, Warning (no restriction)`,
    { event: 'ACCOUNT_RESTRICTION', violation_info: { violation_type: 'DIRECT_SEND_UTILITY_CATEGORY_ABUSE_WARN' } },
  ],
  [
    'a number that must not call for a while',
    'calling/call-settings, Webhook (2 of 3)',
    {
      phone_number: '16505552771',
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BUSINESS_INITIATED_CALLING', expiration: 1641848057 }],
    },
  ],
  [
    'an account that works again',
    `${reference}, Disabled update`,
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE', waba_ban_date: 'April 17, 2025' } },
  ],
  [
    'terms that were accepted',
    `${reference}, MM API for WhatsApp terms of service`,
    { event: 'MM_LITE_TERMS_SIGNED', waba_info: wabaInfo },
  ],
  [
    'a tier of prices',
    `${reference}, Pricing tiering update`,
    {
      event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
      volume_tier_info: {
        tier_update_time: 1743451903,
        pricing_category: 'UTILITY',
        tier: '25000001:50000000',
        effective_month: '2025-11',
        region: 'India',
      },
    },
  ],
  [
    'an app that was installed, of a solution of several partners',
    `${reference}, Partner app installed`,
    {
      event: 'PARTNER_APP_INSTALLED',
      waba_info: {
        ...wabaInfo,
        partner_app_id: '5731794616896507',
        solution_id: '1715120619246906',
        solution_partner_business_ids: ['2949482758682047', '520744086200222'],
      },
    },
  ],
  [
    'a number that was removed by the app, without its account',
    'embedded-signup/onboarding-business-app-users, Example payload (1 of 4)',
    {
      phone_number: '15550783881',
      event: 'PARTNER_REMOVED',
      disconnection_info: { initiated_by: 'SYSTEM', reason: 'PRIMARY_INACTIVITY' },
    },
  ],
  [
    'a verification that a partner has to begin',
    'embedded-signup/website-optional',
    {
      event: 'PARTNER_CLIENT_CERTIFICATION_NEEDED',
      partner_client_certification_needed_info: { client_business_id: '2329417887457253' },
    },
  ],
  [
    'the end of a restriction of direct messages',
    `${directSend}, Restriction lifted`,
    {
      event: 'ACCOUNT_RESTRICTION',
      violation_info: { violation_type: 'DIRECT_SEND_UTILITY_CATEGORY_ABUSE_UNBAN' },
    },
  ],
  [
    'a warning about calls that nobody answers',
    'calling/call-settings, Warning webhook',
    {
      phone_number: '16505552771',
      event: 'ACCOUNT_VIOLATION',
      violation_info: { violation_type: 'USER_INITIATED_CALLS_LOW_PICKUP_RATE', remediation: 'Answer more calls' },
    },
  ],
  [
    'an ad account, in its older spelling',
    'marketing-messages/onboarding, Receive onboarding completion webhook',
    { event: 'AD_ACCOUNT_LINKED', waba_info: { ...wabaInfo, ad_account_id: '980198427534243' } },
  ],
  [
    'a restriction of templates of the wrong category',
    'templates/template-categorization, Webhook events',
    {
      event: 'ACCOUNT_RESTRICTION',
      violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE' },
      restriction_info: [{ restriction_type: 'RESTRICTED_UTILITY_TEMPLATES', expiration: '1750634873' }],
    },
  ],
  ['an account that was deleted', `${reference}, Account deleted`, { event: 'ACCOUNT_DELETED' }],
  ['an app that left an account', `${onboarding} (account offboarded)`, { event: 'ACCOUNT_OFFBOARDED' }],
  ['an app that came back to an account', `${onboarding} (account reconnected)`, { event: 'ACCOUNT_RECONNECTED' }],
];

const template = {
  message_template_id: 1689556908129832,
  message_template_name: 'order_update',
  message_template_language: 'en_US',
};
const templateEvents: readonly [what: string, source: string, field: string, value: object][] = [
  [
    'a template that was paused',
    `${directSend}, Webhook for template pausing`,
    'message_template_status_update',
    { event: 'PAUSED' },
  ],
  [
    'a template that was rejected, with advice',
    'webhooks/reference/message_template_status_update, Example (2 of 2)',
    'message_template_status_update',
    {
      event: 'REJECTED',
      message_template_category: 'MARKETING',
      reason: 'INVALID_FORMAT',
      rejection_info: { reason: 'Two parameters touch', recommendation: 'Put words between them' },
    },
  ],
  [
    'new content of a template',
    'webhooks/reference/message_template_components_update',
    'message_template_components_update',
    {
      message_template_title: 'Your order',
      message_template_element: 'Thank you for order {{1}}.',
      message_template_buttons: [
        {
          message_template_button_type: 'PHONE_NUMBER',
          message_template_button_text: 'Call us',
          message_template_button_phone_number: '+15550783881',
        },
        {
          message_template_button_type: 'URL',
          message_template_button_text: 'Write to us',
          message_template_button_url: 'https://example.com/support',
        },
      ],
      message_template_footer: 'The plant shop',
    },
  ],
  [
    'a category that will change',
    'webhooks/reference/template_category_update, Examples (1 of 2)',
    'template_category_update',
    { new_category: 'UTILITY', correct_category: 'MARKETING', category_update_timestamp: 1746169200 },
  ],
  [
    'a category that fits better',
    `${directSend}, Webhook for category misuse`,
    'template_correct_category_detection',
    { category: 'UTILITY', correct_category: 'MARKETING' },
  ],
  [
    'a score of a template',
    'webhooks/reference/message_template_quality_update',
    'message_template_quality_update',
    { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' },
  ],
  [
    'a score of a template, under the name of another field',
    'webhooks/reference/message_template_quality_update, of March 2026',
    'message_template_status_update',
    { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' },
  ],
];

const alerts: Readonly<Record<string, object>> = {
  ENDPOINT_LATENCY: { p50_latency: 500, p90_latency: 8000, requests_count: 34, threshold: 7000 },
  ENDPOINT_AVAILABILITY: { availability: 75, threshold: 90 },
  CLIENT_ERROR_RATE: {
    error_rate: 14.28,
    threshold: 10,
    errors: [{ error_type: 'INVALID_SCREEN_TRANSITION', error_rate: 66.66, error_count: 2 }],
  },
};

const ids = { wa_id: pablo.wa_id, user_id: pablo.user_id, parent_user_id: pablo.parent_user_id };
const withUsername = { ...ids, username: pablo.profile.username };
const called = { to: pablo.wa_id, to_user_id: pablo.user_id, to_parent_user_id: pablo.parent_user_id };
const fromUs = { ...pablo, profile: { ...pablo.profile, country_code: 'US' } };
const nameless = { ...pablo, profile: { username: pablo.profile.username } };
const sdp = 'v=0\r\ns=-\r\n';
const ringing = {
  id: 'wacid.1',
  type: 'call',
  status: 'RINGING',
  timestamp: '1750030073',
  recipient_id: pablo.wa_id,
  recipient_user_id: pablo.user_id,
  recipient_parent_user_id: pablo.parent_user_id,
  biz_opaque_callback_data: 'a',
};

const others: Published[] = [
  {
    what: 'a call that rings at somebody whose name is unknown',
    source: 'business-scoped-user-ids, Business-initiated calls status webhooks',
    field: 'calls',
    value: ofNumber({ contacts: [nameless], statuses: [ringing] }),
  },
  {
    what: 'a call that rings, without a contact',
    source: 'calling/business-initiated-calls, Call status webhook',
    field: 'calls',
    value: ofNumber({ statuses: [ringing] }),
  },
  ...[
    ['twice', 'calling/business-initiated-calls, Part 3', sdp],
    ['also in JSON', 'calling/reference, Sample call connect webhook', JSON.stringify({ sdp, type: 'answer' })],
  ].map(([how = '', source = '', older]) => ({
    what: `an answer to a call of the business, with the SDP ${how}`,
    source,
    field: 'calls',
    value: call({
      ...called,
      from: '15550783881',
      event: 'connect',
      direction: 'BUSINESS_INITIATED',
      session: { sdp_type: 'answer', sdp },
      connection: { webrtc: { sdp: older } },
      biz_opaque_callback_data: 'a',
    }),
  })),
  {
    what: 'a call from a link and a button',
    source: 'calling/user-initiated-calls, Call Connect webhook',
    field: 'calls',
    value: call({
      ...sender,
      to: '15550783881',
      event: 'connect',
      direction: 'USER_INITIATED',
      deeplink_payload: 'a',
      cta_payload: 'b',
      session: { sdp_type: 'offer', sdp },
    }),
  },
  {
    what: 'the end of a call whose contact has another number',
    source: 'calling/business-initiated-calls, Call terminate webhook',
    field: 'calls',
    count: 2,
    value: ofNumber({
      calls: [
        {
          id: 'wacid.1',
          ...called,
          from: '15550783881',
          event: 'terminate',
          direction: 'BUSINESS_INITIATED',
          timestamp: '1671644824',
          status: 'FAILED',
          start_time: '1671644824',
          end_time: '1671644944',
          duration: 120,
        },
      ],
      contacts: [{ ...pablo, wa_id: '12185552828' }],
      errors: [{ code: 138007, message: 'Timeout', href: 'https://example.com/codes', error_data: details }],
    }),
  },
  {
    what: 'the end of a call from the number of the business, with its status in another spelling',
    source: 'calling/user-initiated-calls, Part 4',
    field: 'calls',
    value: call({
      ...sender,
      from: '13175551399',
      to: '16315553601',
      event: 'terminate',
      direction: 'USER_INITIATED',
      status: 'Failed',
      start_time: '1671644824',
      end_time: '1671644944',
      duration: 480,
    }),
  },
  {
    what: 'a call of the business that was created',
    source: 'calling/reference, Call created webhook',
    field: 'calls',
    value: call({
      from: '15550783881',
      to: pablo.wa_id,
      to_user_id: pablo.user_id,
      to_parent_user_id: pablo.parent_user_id,
      event: 'call_created',
      direction: 'BUSINESS_INITIATED',
    }),
  },
  {
    what: 'the end of a call to somebody whose name is unknown',
    source: 'business-scoped-user-ids, Business-initiated terminated calls webhooks',
    field: 'calls',
    value: ofNumber({
      contacts: [nameless],
      calls: [
        {
          id: 'wacid.1',
          from: '15550783881',
          to: pablo.wa_id,
          to_user_id: pablo.user_id,
          to_parent_user_id: pablo.parent_user_id,
          event: 'terminate',
          timestamp: '1750030073',
          direction: 'BUSINESS_INITIATED',
          status: 'COMPLETED',
          biz_opaque_callback_data: 'a',
        },
      ],
    }),
  },
  {
    what: 'the recording of a call',
    source: 'calling/call-recording, Recording-available webhook',
    field: 'calls',
    value: ofNumber({
      calls: [
        {
          id: 'wacid.1',
          ...sender,
          timestamp: '1728932177',
          event: 'call_recording_available',
          call_recording: {
            type: 'audio',
            audio: { id: '1002764438271669', sha256: 'a1b2', mime_type: 'audio/ogg; codecs=opus', url: shortLived },
          },
        },
      ],
    }),
  },
  {
    what: 'the transcript of a call',
    source: 'calling/call-transcription, Transcription-available webhook',
    field: 'calls',
    value: ofNumber({
      calls: [
        {
          id: 'wacid.1',
          ...sender,
          timestamp: '1728932177',
          event: 'call_transcription_available',
          call_transcript: {
            document: { id: '1002764438271669', sha256: 'a1b2', mime_type: 'application/json', url: shortLived },
          },
        },
      ],
    }),
  },
  {
    what: 'new settings of calling',
    source: 'calling/call-settings, Webhook payload',
    field: 'account_settings_update',
    value: {
      messaging_product: 'whatsapp',
      timestamp: '1671644824',
      type: 'phone_number_settings',
      phone_number_settings: {
        phone_number_id: metadata.phone_number_id,
        calling: {
          status: 'ENABLED',
          call_icon_visibility: 'DEFAULT',
          callback_permission_status: 'ENABLED',
          call_hours: {
            status: 'ENABLED',
            timezone_id: 'America/Sao_Paulo',
            weekly_operating_hours: [{ day_of_week: 'MONDAY', open_time: '0400', close_time: '1020' }],
            holiday_schedule: [{ date: '2026-01-01', start_time: '0000', end_time: '2359' }],
          },
          sip: { status: 'ENABLED', servers: [{ hostname: 'sip.example.com', port: 5061 }] },
        },
      },
    },
  },
  {
    what: 'errors of the endpoint of a Flow',
    source: 'flows/guides/flowswebhooks, Possible resolutions',
    field: 'flows',
    value: {
      event: 'ENDPOINT_ERROR_RATE',
      message: 'Too many errors',
      flow_id: '691244242662581',
      error_rate: 14.28,
      threshold: 10,
      alert_state: 'ACTIVATED',
      errors: [
        { error_type: 'CAPABILITY_ERROR', error_rate: 66.66, error_count: 2 },
        { error_type: 'TIMEOUT', error_rate: 33.33, error_count: 1 },
      ],
    },
  },
  {
    what: 'a history that the business does not share',
    source: 'webhooks/reference/history, Examples',
    field: 'history',
    value: ofNumber({ history: [{ errors: [{ ...errors[0], code: 2593109 }] }] }),
  },
  {
    what: 'a history with a placeholder for a file',
    source: 'webhooks/reference/history, Examples (1 of 2) and business-scoped-user-ids, History webhooks',
    field: 'history',
    value: ofNumber({
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 55 },
          threads: [
            {
              id: pablo.wa_id,
              context: withUsername,
              messages: [
                { from: '15550783881', to: pablo.wa_id, ...text, history_context: { status: 'READ' } },
                { ...sender, ...sent, type: 'media_placeholder', history_context: { status: 'PLAYED' } },
              ],
            },
          ],
        },
      ],
    }),
  },
  {
    what: 'a file of the history',
    source: 'business-scoped-user-ids, History webhooks (2 of 2)',
    field: 'history',
    value: message({
      type: 'image',
      image: { caption: 'A plant', mime_type: 'image/jpeg', sha256: 'a1b2', id: '24230790383178626' },
    }),
  },
  ...[
    { type: 'revoke', revoke: { original_message_id: 'wamid.1' } },
    {
      type: 'edit',
      edit: {
        original_message_id: 'wamid.1',
        message: {
          context: { id: 'M0' },
          type: 'image',
          image: { caption: 'New', mime_type: 'image/jpeg', sha256: 'a1b2', id: '1234567890', url: shortLived },
        },
      },
    },
  ].map((content) => ({
    what: `the ${content.type} of what the business sent in its app`,
    source: 'business-scoped-user-ids, Revoke and Edit messages webhooks (2 of 2)',
    field: 'smb_message_echoes',
    value: ofNumber({
      contacts: [nameless],
      message_echoes: [{ from: '15550783881', ...called, ...sent, ...content }],
    }),
  })),
  {
    what: 'contacts that the app added and removed',
    source: 'business-scoped-user-ids, smb_app_state_sync webhooks, and webhooks/reference/smb_app_state_sync',
    field: 'smb_app_state_sync',
    value: ofNumber({
      state_sync: [
        {
          type: 'contact',
          contact: {
            full_name: 'Pablo M.',
            first_name: 'Pablo',
            phone_number: pablo.wa_id,
            user_id: pablo.user_id,
            parent_user_id: pablo.parent_user_id,
            username: pablo.profile.username,
          },
          action: 'add',
          metadata: { timestamp: '1750030073' },
        },
        {
          type: 'contact',
          contact: { phone_number: pablo.wa_id },
          action: 'remove',
          metadata: { timestamp: '1750030074' },
        },
      ],
    }),
  },
  ...[
    {
      source: 'webhooks/reference/user_preferences and business-scoped-user-ids, user_preferences webhooks',
      choice: { value: 'resume' },
    },
    { source: `${pywa}/user_marketing_preferences.json`, choice: { value: 'signup', signup_id: '13176843987434774' } },
  ].map(({ source, choice }) => ({
    what: `the preference ${choice.value}, of a contact without a profile`,
    source,
    field: 'user_preferences',
    value: ofNumber({
      contacts: [{ wa_id: pablo.wa_id }],
      user_preferences: [
        { ...ids, detail: 'A choice', category: 'marketing_messages', timestamp: 1731705721, ...choice },
      ],
    }),
  })),
  {
    what: 'a purchase',
    source: 'webhooks/reference/automatic_events, Purchase event',
    field: 'automatic_events',
    value: ofNumber({
      automatic_events: [
        {
          id: 'wamid.1',
          event_name: 'Purchase',
          timestamp: 1749069131,
          ctwa_clid: 'Afc3nYt4',
          custom_data: { currency: 'USD', value: 25_000 },
        },
      ],
    }),
  },
  {
    what: 'how many numbers an account may have',
    source: 'webhooks/reference/business_capability_update',
    field: 'business_capability_update',
    value: { max_daily_conversations_per_business: 2000, max_phone_numbers_per_waba: 25 },
  },
  {
    what: 'a number that may send faster',
    source: 'webhooks/reference/phone_number_quality_update',
    field: 'phone_number_quality_update',
    value: { display_phone_number: '15550783881', event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_UNLIMITED' },
  },
  {
    what: 'what the business sent in its app',
    source: 'business-scoped-user-ids, smb_message_echoes webhooks',
    field: 'smb_message_echoes',
    value: ofNumber({
      contacts: [nameless],
      message_echoes: [
        {
          from: '15550783881',
          to: pablo.wa_id,
          to_user_id: pablo.user_id,
          to_parent_user_id: pablo.parent_user_id,
          ...text,
        },
      ],
    }),
  },
  {
    what: 'a group that was created',
    source: 'groups/webhooks, Group create succeed',
    field: 'group_lifecycle_update',
    value: ofGroup({
      type: 'group_create',
      subject: 'Plants',
      invite_link: 'https://chat.whatsapp.com/LINK_ID',
      join_approval_mode: 'auto_approve',
    }),
  },
  {
    what: 'a group that was not created',
    source: 'groups/webhooks, Group create fail',
    field: 'group_lifecycle_update',
    value: ofGroup({ type: 'group_create', subject: 'Plants', description: 'All about them', errors }),
  },
  {
    what: 'a group that was not deleted',
    source: 'groups/webhooks, Delete group fails',
    field: 'group_lifecycle_update',
    value: ofGroup({ type: 'group_delete', errors }),
  },
  {
    what: 'somebody who joined a group by a link, or whose request was approved',
    source: 'business-scoped-user-ids, group_participants_update webhooks, and groups/webhooks, Join request approved',
    field: 'group_participants_update',
    value: ofGroup({
      timestamp: 1750030073,
      type: 'group_participants_add',
      reason: 'invite_link',
      added_participants: [{ input: pablo.wa_id, ...withUsername }],
    }),
  },
  {
    what: 'somebody who left a group',
    source: 'business-scoped-user-ids, group_participants_update webhooks',
    field: 'group_participants_update',
    value: ofGroup({
      type: 'group_participants_remove',
      initiated_by: 'participant',
      removed_participants: [withUsername],
    }),
  },
  {
    what: 'a request to join a group that was taken back',
    source: 'business-scoped-user-ids, group_participants_update webhooks',
    field: 'group_participants_update',
    value: ofGroup({ type: 'group_join_request_revoked', join_request_id: 'j1', ...withUsername }),
  },
  {
    what: 'participants who were not removed',
    source: 'groups/webhooks, Group participant remove fails',
    field: 'group_participants_update',
    value: ofGroup({
      type: 'group_participants_remove',
      initiated_by: 'business',
      failed_participants: [{ input: pablo.wa_id }, { input: '16505551235' }],
      errors,
    }),
  },
  {
    what: 'a picture of a group that was not changed',
    source: 'groups/webhooks, Group settings update total fail',
    field: 'group_settings_update',
    value: ofGroup({
      type: 'group_settings_update',
      profile_picture: { mime_type: 'image/jpeg', update_successful: false, sha256: 'a1b2', errors },
      errors,
    }),
  },
  {
    what: 'a request to join a group',
    source: 'groups/webhooks, User accepts or cancels join request',
    field: 'group_participants_update',
    value: ofGroup({
      type: 'group_join_request_created',
      reason: 'invite_link',
      join_request_id: 'j1',
      wa_id: pablo.wa_id,
    }),
  },
  {
    what: 'participants of whom some were not removed',
    source: 'groups/webhooks, Group participant remove with participants partially fails',
    field: 'group_participants_update',
    value: ofGroup({
      type: 'group_participants_remove',
      initiated_by: 'business',
      removed_participants: [{ input: pablo.wa_id }],
      failed_participants: [{ input: '16505551235', errors }],
      errors,
    }),
  },
  {
    what: 'settings of a group that were all changed',
    source: 'groups/webhooks, Group settings update succeed',
    field: 'group_settings_update',
    value: ofGroup({
      type: 'group_settings_update',
      profile_picture: {
        mime_type: 'image/jpeg',
        update_successful: true,
        sha256: 'Y9vvGyeo3n76ptkXu3CwDBsnzbRFqpjHskQdMGSVqas=',
      },
      group_subject: { text: 'Gardens', update_successful: true },
      group_description: { text: 'About plants', update_successful: true },
    }),
  },
  {
    what: 'a group that was suspended',
    source: 'groups/webhooks, Group suspended',
    field: 'group_status_update',
    value: ofGroup({ type: 'group_suspend' }),
  },
  {
    what: 'the name of a number that was approved, with null for the reason',
    source: 'webhooks/reference/phone_number_name_update',
    field: 'phone_number_name_update',
    value: {
      display_phone_number: '15550783881',
      decision: 'APPROVED',
      requested_verified_name: 'Lucky Shrub',
      rejection_reason: null,
    },
  },
  {
    what: 'the name by which contacts find a business',
    source: 'business-scoped-user-ids, business_username_updates webhook',
    field: 'business_username_updates',
    value: { display_phone_number: '15550783881', username: 'lucky_shrub', status: 'approved' },
  },
  {
    what: 'settings of a group of which some were not changed',
    source: 'groups/webhooks, Group settings update partial fail',
    field: 'group_settings_update',
    value: ofGroup({
      type: 'group_settings_update',
      profile_picture: { mime_type: 'image/jpeg', update_successful: true, sha256: 'a1b2' },
      group_subject: { text: 'Plants', update_successful: false, errors },
      group_description: { text: 'All about them', update_successful: false, errors },
      errors,
    }),
  },
  {
    what: 'the end of the suspension of a group',
    source: 'groups/webhooks, Group suspension cleared',
    field: 'group_status_update',
    value: ofGroup({ type: 'group_suspend_cleared' }),
  },
  {
    what: 'the end of a call, with its error',
    source: 'calling/user-initiated-calls, Call Terminate webhook',
    field: 'calls',
    count: 2,
    value: ofNumber({
      contacts: [pablo],
      calls: [
        {
          id: 'wacid.1',
          ...sender,
          to: '15550783881',
          event: 'terminate',
          timestamp: '1671644824',
          direction: 'USER_INITIATED',
          status: 'FAILED',
          deeplink_payload: 'a',
          cta_payload: 'b',
          biz_opaque_callback_data: 'c',
        },
      ],
      errors: [{ code: 138007, message: 'Connect Timeout error', error_data: { details: 'No connection' } }],
    }),
  },
  {
    what: 'what another sender sent, with the template that it names',
    source: 'webhooks/reference/standby, Template message echo',
    field: 'standby',
    value: ofNumber({
      standby: {
        message_echoes: [
          {
            ...sent,
            message: {
              to: pablo.wa_id,
              type: 'template',
              template: {
                name: 'sale',
                components: [
                  { type: 'header', parameters: [{ image: { id: '1' } }] },
                  { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'summer' }] },
                ],
              },
            },
            template: {
              name: 'sale',
              components: [{ type: 'BUTTONS', buttons: [{ url: 'https://example.com/{{1}}' }] }],
            },
          },
        ],
      },
    }),
  },
  {
    what: 'a conversation that comes back',
    source: 'webhooks/reference/messaging-handovers',
    field: 'messaging_handovers',
    value: {
      messaging_product: 'whatsapp',
      sender: { phone_number: pablo.wa_id },
      recipient: metadata,
      type: 'control_passed',
      timestamp: '1750101000',
      control_passed: {
        previous_owner_app_id: '1066355071287456',
        previous_owner_app_role: 'meta_business_agent',
        previous_owner_role: 'ai_agent',
        new_owner_role: 'escalation',
        metadata: 'A person is wanted',
        conversation_context: { type: 'summary', summary: { text: 'An order is late' } },
      },
    },
  },
  {
    what: 'messages of the other app, in the history',
    source: 'business-scoped-user-ids, History webhooks',
    field: 'history',
    value: ofNumber({
      contacts: [pablo],
      message_echoes: [{ from: '15550783881', to: pablo.wa_id, to_user_id: pablo.user_id, ...text }],
    }),
  },
  ...accountUpdates.map(([what, source, value]) => ({ what, source, field: 'account_update', value })),
  ...templateEvents.map(([what, source, field, value]) => ({ what, source, field, value: { ...template, ...value } })),
  ...Object.entries(alerts).map(([event, members]) => ({
    what: `the alert ${event}`,
    source: 'flows/guides/flowswebhooks, Possible resolutions',
    field: 'flows',
    value: { event, message: 'Look at this', flow_id: '691244242662581', alert_state: 'ACTIVATED', ...members },
  })),
  {
    what: 'a new status of a Flow',
    source: 'flows/guides/flowswebhooks, Status change webhook',
    field: 'flows',
    value: {
      event: 'FLOW_STATUS_CHANGE',
      message: 'It is published',
      flow_id: '691244242662581',
      old_status: 'DRAFT',
      new_status: 'PUBLISHED',
    },
  },
  {
    what: 'what another sender got',
    source: 'webhooks/reference/standby, Example payload',
    field: 'standby',
    value: ofNumber({ standby: { contacts: [pablo], messages: [{ from: pablo.wa_id, ...text }] } }),
  },
  {
    what: 'a reply that another sender sent',
    source: 'webhooks/reference/standby, Text message echo',
    field: 'standby',
    value: ofNumber({
      standby: {
        message_echoes: [
          {
            ...sent,
            message: {
              messaging_product: 'whatsapp',
              to: pablo.wa_id,
              recipient_type: 'individual',
              type: 'text',
              text: { body: 'Hello', preview_url: true },
              context: { message_id: 'wamid.1' },
            },
          },
        ],
      },
    }),
  },
  {
    what: 'the status of what another sender sent, without a contact',
    source: 'webhooks/reference/standby, Example payload (2 of 2)',
    field: 'standby',
    value: ofNumber({
      standby: {
        statuses: [
          {
            ...sent,
            status: 'delivered',
            recipient_id: pablo.wa_id,
            conversation: { id: 'b194', origin: { type: 'utility' } },
            pricing: { ...pricing, category: 'utility' },
          },
        ],
      },
    }),
  },
  {
    what: 'what another sender sent, with the Flow that it names',
    source: 'webhooks/reference/standby, Interactive flow message echo',
    field: 'standby',
    value: ofNumber({
      standby: {
        message_echoes: [
          {
            ...sent,
            message: {
              messaging_product: 'whatsapp',
              to: pablo.wa_id,
              recipient_type: 'individual',
              type: 'interactive',
              interactive: {
                type: 'flow',
                header: { type: 'text', text: 'Book' },
                body: { text: 'A visit' },
                footer: { text: 'Below' },
                action: {
                  name: 'flow',
                  parameters: {
                    flow_id: '1234567890123456',
                    flow_cta: 'Book now',
                    flow_action: 'navigate',
                    flow_action_payload: { screen: 'APPOINTMENT_SCREEN' },
                  },
                },
              },
            },
            flow: { id: '1234567890123456', name: 'Book', status: 'PUBLISHED', categories: ['APPOINTMENT_BOOKING'] },
          },
        ],
      },
    }),
  },
  {
    what: 'a conversation that somebody takes',
    source: 'conversation-routing/thread-control, control_taken',
    field: 'messaging_handovers',
    value: {
      messaging_product: 'whatsapp',
      sender: { phone_number: pablo.wa_id },
      recipient: metadata,
      type: 'control_taken',
      timestamp: '1750101000',
      control_taken: {
        previous_owner_role: 'customer_service',
        new_owner_role: 'escalation',
        metadata: 'A person steps in',
      },
    },
  },
  {
    what: 'a user id that changed',
    source: 'business-scoped-user-ids, user_id_update webhooks',
    field: 'user_id_update',
    value: ofNumber({
      contacts: [{ profile: { name: pablo.profile.name }, wa_id: pablo.wa_id }],
      user_id_update: [
        {
          wa_id: pablo.wa_id,
          detail: 'The user id has changed',
          user_id: { previous: 'US.1', current: 'US.2' },
          parent_user_id: { previous: 'US.ENT.1', current: 'US.ENT.2' },
          timestamp: '1750030073',
        },
      ],
    }),
  },
  {
    what: 'a restriction of direct messages',
    source: 'direct-send/integrity-and-content-guidelines',
    field: 'account_update',
    value: {
      event: 'ACCOUNT_RESTRICTION',
      violation_info: { violation_type: 'DIRECT_SEND_UTILITY_CATEGORY_ABUSE_RATE_LIMIT' },
      restriction_info: [{ restriction_type: 'RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES', expiration: '1750705800' }],
    },
  },
  {
    what: 'the preference of a contact with every id and name',
    source: 'business-scoped-user-ids, user_preferences webhooks',
    field: 'user_preferences',
    value: ofNumber({
      contacts: [pablo],
      user_preferences: [
        { ...ids, detail: 'A choice', category: 'marketing_messages', value: 'stop', timestamp: 1731705721 },
      ],
    }),
  },
  {
    what: 'a conversation that an app takes from another one',
    source: 'webhooks/reference/messaging-handovers, Example payload (2 of 2)',
    field: 'messaging_handovers',
    value: {
      messaging_product: 'whatsapp',
      sender: { phone_number: pablo.wa_id },
      recipient: metadata,
      type: 'control_taken',
      timestamp: '1750101000',
      control_taken: {
        previous_owner_app_id: '1066355071287456',
        previous_owner_role: 'ai_agent',
        new_owner_role: 'escalation',
        metadata: 'A person steps in',
      },
    },
  },
  {
    what: 'the name by which contacts find a business, as it was announced in 2025',
    source: 'business-scoped-user-ids, phone_number_username_update webhook, of December 2025',
    field: 'phone_number_username_update',
    value: {
      display_phone_number: '15550783881',
      decision: 'REJECTED',
      requested_username: 'lucky_shrub',
      rejection_reasons: ['TAKEN'],
    },
  },
  ...Object.entries({
    messages: { contacts: [fromUs], messages: [{ ...sender, ...text }] },
    calls: {
      contacts: [fromUs],
      calls: [{ id: 'wacid.1', ...sender, timestamp: '1671644824', event: 'call_created' }],
    },
    user_preferences: { contacts: [fromUs], user_preferences: [{ ...ids, value: 'stop', timestamp: 1731705721 }] },
    smb_app_state_sync: { state_sync: [{ type: 'contact', contact: { ...ids, country_code: 'US' }, action: 'add' }] },
    group_participants_update: {
      groups: [
        {
          timestamp: '1750030073',
          group_id: toGroup.recipient_id,
          type: 'group_join_request_created',
          added_participants: [{ ...withUsername, country_code: 'US' }],
          removed_participants: [{ ...withUsername, country_code: 'US' }],
          country_code: 'US',
        },
      ],
    },
  }).map(([field, members]) => ({
    what: `the country of a contact in ${field}, as it was announced in 2025`,
    source: 'business-scoped-user-ids, of December 2025',
    field,
    value: ofNumber(members),
  })),
  {
    what: 'how many conversations a number may have in a day',
    source: 'webhooks/reference/business_capability_update, Syntax',
    field: 'business_capability_update',
    value: {
      max_daily_conversation_per_phone: 1000,
      max_phone_numbers_per_business: 25,
      max_phone_numbers_per_waba: 25,
    },
  },
  {
    what: 'a new Flow, whose version will freeze',
    source: 'flows/guides/flowswebhooks, of December 2025',
    field: 'flows',
    value: {
      event: 'FLOW_STATUS_CHANGE',
      message: 'It is a draft',
      flow_id: '691244242662581',
      new_status: 'DRAFT',
      warning: 'The version will freeze in 21 days',
    },
  },
  {
    what: 'a Flow whose version will soon expire',
    source: 'flows/guides/flowswebhooks, Flow Version Freeze/Expiry warning Webhook, of June 2026',
    field: 'flows',
    value: {
      event: 'FLOW_VERSION_EXPIRY_WARNING',
      warning: 'The version will freeze in 21 days',
      flow_id: '691244242662581',
    },
  },
  {
    what: 'the end of a call, with its status in a list',
    source: 'calling/business-initiated-calls, Part 4, of March 2026',
    field: 'calls',
    value: call({ ...called, from: '15550783881', event: 'terminate', status: ['Failed', 'Completed'] }),
  },
  {
    what: 'a group that was created with its participants, whose numbers are not texts',
    source: openapi,
    field: 'group_lifecycle_update',
    value: ofGroup({
      type: 'group_create',
      subject: 'Plants',
      description: 'All about them',
      added_participants: [{ input: 16505551234, wa_id: 16505551234 }],
    }),
  },
  {
    what: 'participants who were removed, whose numbers are not texts',
    source: openapi,
    field: 'group_participants_update',
    value: ofGroup({ type: 'group_create', removed_participants: [{ input: 16505551234, wa_id: 16505551234 }] }),
  },
];

const payloads: Published[] = [...messages.map((each) => ({ ...each, field: 'messages' })), ...others];

describe('a published payload', () => {
  it.each(payloads)('a published payload loses nothing: $what ($source)', ({ field, value, count = 1 }) => {
    const body = {
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', changes: [{ field, value }] }],
    };
    expect(lostMembers(body)).toEqual([]);
    expect(deliveredTexts(body)).toHaveLength(count);
  });
});
