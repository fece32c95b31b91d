import { header, incomingMessage, jsonBody } from './requests.ts';
import { ref } from './schemas.ts';

const signatureHeaders = [
  header(
    'webhook-id',
    'Id of the delivery, the same on every attempt. Ignore a notification whose id you have already processed.',
    true,
  ),
  header(
    'webhook-timestamp',
    'When this attempt was made, in Unix seconds. Reject a time that is more than five minutes off.',
    true,
  ),
  header(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with a signing secret of the number or the workspace (Standard Webhooks).',
    true,
  ),
];

interface Notification {
  summary: string;
  description: string;
  schema: string;
  example: object;
}

const webhook = ({ summary, description, schema, example }: Notification) => ({
  post: {
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: signatureHeaders,
    requestBody: jsonBody(ref(schema), example),
    responses: {
      '200': { description: 'The receiver has accepted the notification' },
      default: { description: 'Any other status is a failure. The service sends the notification again later' },
    },
  },
});

const { contacts } = incomingMessage;

/** What the service sends to the URLs of numbers and workspaces, for the `webhooks` of the document. */
export const webhooks = {
  message: webhook({
    summary: 'A message arrived',
    description:
      'Sent to `webhook` and `secondary_webhook` when the number receives a message. The test notification has the same shape.',
    schema: 'MessageNotification',
    example: incomingMessage,
  }),
  echo: webhook({
    summary: 'Staff wrote a message in the WhatsApp Business app or another app',
    description:
      'Sent to `webhook` and `secondary_webhook` if their `events` name `message_echoes`. The webhook of the workspace gets the field of the platform, `smb_message_echoes` or `message_echoes`, in any case.',
    schema: 'EchoNotification',
    example: {
      contacts: [{ wa_id: '15550100999' }],
      message_echoes: [
        {
          from: '15550100001',
          to: '15550100999',
          id: 'wamid.HBgLMTU1NTAxMDA5OTk',
          timestamp: '1795000000',
          type: 'text',
          text: { body: 'We are open until six.' },
        },
      ],
    },
  }),
  status: webhook({
    summary: 'The status of a sent message changed',
    description:
      'Sent to `webhook` and `secondary_webhook`. Statuses can arrive in any order. Sort them by `timestamp`.',
    schema: 'StatusNotification',
    example: {
      statuses: [
        { id: 'wamid.HBgLMTU1NTAxMDA5OTk', status: 'delivered', timestamp: '1795000000', recipient_id: '15550100999' },
      ],
      contacts,
    },
  }),
  error: webhook({
    summary: 'An error occurred outside a request',
    description: 'Sent to `webhook` and `secondary_webhook`; an error of a call goes to `calls_webhook`.',
    schema: 'ErrorNotification',
    example: {
      errors: [
        {
          code: 130429,
          title: 'Rate limit hit',
          details: 'Message failed to send because there were too many messages.',
          href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
        },
      ],
    },
  }),
  call: webhook({
    summary: 'A call arrived, was answered or ended',
    description:
      'Sent to `calls_webhook`. For an incoming call, `connect` carries the SDP offer to accept. For a call that you started, it carries the SDP answer.',
    schema: 'CallNotification',
    example: {
      calls: [
        {
          id: 'wacid.HBgLMTU1NTAxMDA5OTk',
          call_id: 'wacid.HBgLMTU1NTAxMDA5OTk',
          from: '15550100999',
          to: '15550100001',
          event: 'connect',
          timestamp: '1795000000',
          direction: 'USER_INITIATED',
          connection: { webrtc: { sdp: 'v=0\r\n…' } },
          session: { sdp_type: 'offer', sdp: 'v=0\r\n…' },
        },
      ],
      contacts,
    },
  }),
  callStatus: webhook({
    summary: 'The status of a call that you started changed',
    description: 'Sent to `calls_webhook`.',
    schema: 'CallStatusNotification',
    example: {
      statuses: [
        {
          id: 'wacid.HBgLMTU1NTAxMDA5OTk',
          timestamp: '1795000000',
          type: 'call',
          status: 'RINGING',
          recipient_id: '15550100999',
        },
      ],
    },
  }),
  field: webhook({
    summary: 'The platform reports what belongs to no webhook of a number',
    description:
      'Sent to the webhook of each workspace with the business account: account, template and number updates, standby, history, every future field, and changes of numbers that are not registered.',
    schema: 'FieldNotification',
    example: {
      field: 'phone_number_quality_update',
      value: { display_phone_number: '15550100001', event: 'FLAGGED', current_limit: 'TIER_1K' },
    },
  }),
  service: webhook({
    summary: 'Something happened to a Flow or a target',
    description:
      'Sent to the webhook of the workspace. `type` is `flow.published`, `flow.throttled`, `flow.blocked`, `target.failing`, `target.paused` or `target.recovered`.',
    schema: 'ServiceNotification',
    example: {
      type: 'target.failing',
      timestamp: '2026-01-31T08:15:30.123000Z',
      data: {
        number: '33333331-3333-4333-8333-333333333331',
        target: 'webhook',
        since: '2026-01-31T08:15:30.123000Z',
        failures: 10,
      },
    },
  }),
};
