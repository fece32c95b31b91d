import type { ParticipantSpelling } from '../core/contacts.ts';

/**
 * The content of each of the upstream's events, without ids and times. Source: Meta's pages "Webhooks payload
 * reference", "Flows webhooks" and "Calling: webhooks", and what stands beside a sample.
 */
type Sample = Readonly<Record<string, unknown>>;

const sampleSha256 = 'Ff4zYzhc1xdzMZjwoCoOAqj5iZ2oSZoMZyf6vCFkhzs=';
const sdp = (setup: string) =>
  [
    'v=0',
    'o=- 7669997803033704573 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    'a=candidate:1 1 udp 2122260223 127.0.0.1 50000 typ host',
    'a=ice-ufrag:4cP5',
    'a=ice-pwd:asd88fgpdd777uzjYhagZg8h',
    'a=fingerprint:sha-256 19:E2:1C:3B:4B:9F:81:E6:B8:5C:F4:A5:A8:D8:73:04:BB:05:2F:70:9F:04:A9:0E:05:E9:26:33:E8:70:88:A2',
    `a=setup:${setup}`,
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    '',
  ].join('\r\n');

export const sdpOffer = sdp('actpass');
export const sdpAnswer = sdp('active');

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

const error = (code: number, title: string, details: string) => ({
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

const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };

const toGroup = { recipient_id: groupId, recipient_type: 'group' };

/** How a status of a group names its participant. */
export const participantRoles: Readonly<Record<string, ParticipantSpelling>> = {
  group_delivered: 'recipient_participant',
  group_read: 'participant_recipient',
};

export const statusSamples = {
  sent: { conversation: { id: '3d0f2b5a6c1e4f78', origin: { type: 'utility' } }, pricing },
  delivered: { pricing },
  read: {},
  played: {},
  /** A service message that is free: until September 2026 any, since then a thousand a month (Meta's page "Pricing"). */
  delivered_free: {
    status: 'delivered',
    pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' },
  },
  /** Since October 2026, the others are billed (the same page). */
  delivered_billed: {
    status: 'delivered',
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' },
  },
  /** One participant got a message to a group (Meta's page "Groups: webhooks", as the next one). */
  group_delivered: {
    status: 'delivered',
    ...toGroup,
    conversation: {
      id: '72b14d6bd5407799e66f64d1b338e567',
      origin: { type: 'group_utility' },
      pricing: { billable: true, pricing_model: 'PMP', category: 'group_utility' },
    },
  },
  /** One participant read it. Here the page names participants in the other spelling; see `participantRoles`. */
  group_read: { status: 'read', ...toGroup },
  failed: { errors: [error(131026, 'Message undeliverable', 'Message Undeliverable.')] },
} as const satisfies Record<string, Sample>;

export const errorSamples = {
  error: error(130429, 'Rate limit hit', 'Message failed to send because there were too many messages.'),
} as const satisfies Record<string, Sample>;

export const callSamples = {
  call_connect: { event: 'connect', direction: 'USER_INITIATED', session: { sdp_type: 'offer', sdp: sdpOffer } },
  call_terminate: {
    event: 'terminate',
    direction: 'USER_INITIATED',
    status: 'COMPLETED',
    start_time: '1795000000',
    end_time: '1795000059',
    duration: 59,
  },
  /** For numbers whose calls go over SIP, when their settings ask for webhooks. */
  call_created: { event: 'call_created', direction: 'USER_INITIATED' },
  call_recording_available: {
    event: 'call_recording_available',
    call_recording: { audio: media('1003383421387264', 'audio/ogg; codecs=opus') },
  },
  call_transcription_available: {
    event: 'call_transcription_available',
    call_transcript: { document: media('1003383421387265', 'application/json') },
  },
} as const satisfies Record<string, Sample>;

export const callStatusSamples = {
  call_ringing: { status: 'RINGING' },
  call_accepted: { status: 'ACCEPTED' },
  call_rejected: { status: 'REJECTED' },
} as const satisfies Record<string, Sample>;

const flowAlert = (event: string, metric: Sample) => ({
  event,
  message: 'A metric of the Flow has reached a threshold',
  flow_id: '1017487623455566',
  ...metric,
  threshold: 10,
  alert_state: 'ACTIVATED',
});

export const flowSamples = {
  flow_status_change: {
    event: 'FLOW_STATUS_CHANGE',
    message: 'The status of the Flow has changed',
    flow_id: '1017487623455566',
    old_status: 'PUBLISHED',
    new_status: 'THROTTLED',
  },
  flow_client_error_rate: flowAlert('CLIENT_ERROR_RATE', {
    error_rate: 14.28,
    errors: [{ error_type: 'INVALID_SCREEN_TRANSITION', error_rate: 66.66, error_count: 2 }],
  }),
  flow_endpoint_error_rate: flowAlert('ENDPOINT_ERROR_RATE', {
    error_rate: 14.28,
    errors: [{ error_type: 'TIMEOUT', error_rate: 66.66, error_count: 2 }],
  }),
  flow_endpoint_latency: flowAlert('ENDPOINT_LATENCY', { p90_latency: 8000, p50_latency: 500, requests_count: 34 }),
  flow_endpoint_availability: flowAlert('ENDPOINT_AVAILABILITY', { availability: 75 }),
  flow_version_expiry_warning: {
    event: 'FLOW_VERSION_EXPIRY_WARNING',
    warning: 'The version of the Flow JSON will soon be frozen',
    flow_id: '1017487623455566',
  },
} as const satisfies Record<string, Sample>;
