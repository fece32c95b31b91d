import type { ParticipantSpelling } from '../core/contacts.ts';
import { error, groupId, media, type Sample } from './message-samples.ts';

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
