/**
 * The content of each of the upstream's events, without ids and times. Source: Meta's pages "Webhooks payload
 * reference", "Flows webhooks" and "Calling: webhooks", and what stands beside a sample.
 */
export type Sample = Readonly<Record<string, unknown>>;

const sampleSha256 = 'Ff4zYzhc1xdzMZjwoCoOAqj5iZ2oSZoMZyf6vCFkhzs=';

/** The facts about a file in a message. The hash is in base64. */
export const media = (id: string, mime_type: string, sha256 = sampleSha256) => ({
  mime_type,
  sha256,
  id,
  url: `https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=${id}&source=webhook`,
});

const interactive = (type: string, content: Sample) => ({
  context: { from: '15550783881', id: 'wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA' },
  type: 'interactive',
  interactive: { type, [type]: content },
});

/** An error as it stands in a message, in a status or alone. */
export const error = (code: number, title: string, details: string) => ({
  code,
  title,
  message: title,
  error_data: { details },
  href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
});

export const groupId = 'Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD';

export const messageSamples = {
  text: { type: 'text', text: { body: 'Hello! Olá! ¿Qué tal? 👋' } },
  /** The first message after another sender had the conversation; see `besideMessages`. */
  routed_text: { type: 'text', text: { body: 'Can I still change my order?' } },
  image: { type: 'image', image: { caption: 'Our new shop', ...media('1003383421387256', 'image/jpeg') } },
  document: { type: 'document', document: { filename: 'order.pdf', ...media('1003383421387257', 'application/pdf') } },
  video: { type: 'video', video: media('1003383421387258', 'video/mp4') },
  audio: { type: 'audio', audio: { ...media('1003383421387259', 'audio/mpeg'), voice: false } },
  voice: { type: 'audio', audio: { ...media('1003383421387260', 'audio/ogg; codecs=opus'), voice: true } },
  sticker: { type: 'sticker', sticker: { ...media('1003383421387261', 'image/webp'), animated: false } },
  location: {
    type: 'location',
    location: {
      address: '1071 5th Ave, New York, NY 10128',
      latitude: 40.782910059774,
      longitude: -73.959075808525,
      name: 'Solomon R. Guggenheim Museum',
      url: 'https://www.guggenheim.org/',
    },
  },
  contacts: {
    type: 'contacts',
    contacts: [
      {
        addresses: [
          {
            city: 'Menlo Park',
            country: 'United States',
            country_code: 'us',
            state: 'CA',
            street: '1 Hacker Way',
            type: 'WORK',
            zip: '94025',
          },
        ],
        birthday: '1999-01-23',
        emails: [{ email: 'bjohnson@example.com', type: 'WORK' }],
        name: { first_name: 'Barbara', formatted_name: 'Barbara J. Johnson', last_name: 'Johnson' },
        org: { company: 'Social Tsunami' },
        origin: 'other',
        phones: [{ phone: '+1 (650) 555-1234', wa_id: '16505551234', type: 'CELL' }],
        urls: [{ url: 'https://www.example.com/', type: 'WORK' }],
      },
    ],
  },
  /** With the card as the phone wrote it (Meta's page "Business-scoped user IDs"). */
  contact_card: {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: 'Barbara J. Johnson' },
        origin: 'other',
        phones: [{ phone: '+1 (650) 555-1234', type: 'CELL' }],
        vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Barbara J. Johnson\nTEL;type=CELL:+1 (650) 555-1234\nEND:VCARD',
      },
    ],
  },
  /** The response to a `request_contact_info` message. */
  contact_request_reply: {
    type: 'contacts',
    contacts: [{ origin: 'contact_request', phones: [{ phone: '+16505551234', wa_id: '16505551234', type: 'CELL' }] }],
  },
  voicemail: {
    type: 'audio',
    audio: { ...media('1003383421387263', 'audio/ogg; codecs=opus'), voice: true },
  },
  group_text: {
    group_id: groupId,
    type: 'text',
    text: { body: 'Hello, group!' },
  },
  button_reply: interactive('button_reply', { id: 'confirm', title: 'Confirm' }),
  list_reply: interactive('list_reply', { id: 'priority', title: 'Priority', description: 'Next day to two days' }),
  nfm_reply: interactive('nfm_reply', {
    name: 'flow',
    body: 'Sent',
    response_json: '{"flow_token":"unused","name":"Zoë"}',
  }),
  call_permission_reply: interactive('call_permission_reply', {
    response: 'accept',
    is_permanent: false,
    expiration_timestamp: 1_795_600_000,
    response_source: 'user_action',
  }),
  /** The platform itself permits a call, as after a call of the contact. */
  call_permission_automatic: {
    ...interactive('call_permission_reply', { response: 'accept', response_source: 'automatic' }),
    context: { from: '15550783881', id: 'wacid.HBgLMTY1MDU1NTEyMzQVAgASGCAzQTg0' },
  },
  button: {
    context: { from: '15550783881', id: 'wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA' },
    type: 'button',
    button: { payload: 'unsubscribe', text: 'Unsubscribe' },
  },
  reaction: {
    type: 'reaction',
    reaction: { message_id: 'wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA', emoji: '👍' },
  },
  order: {
    type: 'order',
    order: {
      catalog_id: '194836987003835',
      text: 'Love these!',
      product_items: [{ product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: 30, currency: 'USD' }],
    },
  },
  system: {
    type: 'system',
    system: {
      body: 'User Kerry changed from 16505551234 to 12195555358',
      wa_id: '12195555358',
      type: 'user_changed_number',
    },
  },
  /** Meta's page "Business-scoped user IDs" has the new ids, its changelog of August 2026 the previous ones. */
  system_user_id: {
    type: 'system',
    system: {
      body: 'User Kerry changed from US.10101010101010101010 to US.13491208655302741918',
      type: 'user_changed_user_id',
      user_id: 'US.13491208655302741918',
      parent_user_id: 'US.ENT.11815799212886844830',
      previous_user_id: 'US.10101010101010101010',
      previous_parent_user_id: 'US.ENT.20202020202020202020',
    },
  },
  unsupported: {
    errors: [error(131051, 'Message type unknown', 'Message type is currently not supported.')],
    type: 'unsupported',
    unsupported: { type: 'poll_creation' },
  },
  edit: {
    type: 'edit',
    edit: {
      original_message_id: 'wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA',
      message: { type: 'image', image: { caption: 'Our newest shop', ...media('1003383421387262', 'image/jpeg') } },
    },
  },
  revoke: {
    type: 'revoke',
    revoke: { original_message_id: 'wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA' },
  },
} as const satisfies Record<string, Sample>;

/** A summary of what was said before (Meta's page "Conversation routing: conversation context"). */
export const conversationContext = {
  type: 'summary',
  summary: { text: 'The contact wants to change an order.' },
};

/** What stands beside the list of messages, by the type of the message. */
export const besideMessages: Readonly<Record<string, Sample>> = {
  routed_text: { conversation_context: conversationContext },
};
