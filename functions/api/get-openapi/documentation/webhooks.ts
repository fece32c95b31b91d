import type { ServiceEvent } from '#shared/domain/accounts/service-event.ts';
import { targets } from '#shared/domain/subscribers/target.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const time: Schema = { type: 'string', format: 'date-time' };
const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: values });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const list = (items: Schema, limits: Schema = {}): Schema => ({ type: 'array', items, ...limits });
const one = (name: string) => list(ref(name), { minItems: 1, maxItems: 1 });
const contacts = list(ref('Contact'), { maxItems: 1 });

const serviceEvent = (types: readonly ServiceEvent['type'][], data: Schema): Schema =>
  object({ type: oneOf(types), timestamp: time, data }, ['type', 'timestamp', 'data']);

const media = { id: text, mime_type: text, sha256: text };

/** Schemas of the notifications. More members than these can appear, because members of the upstream pass through. */
export const notificationSchemas: Readonly<Record<string, Schema>> = {
  MessageNotification: object(
    {
      contacts,
      messages: one('Message'),
      conversation_context: object({ type: text, summary: object({ text }) }),
    },
    ['contacts', 'messages'],
  ),
  StatusNotification: object({ statuses: one('MessageStatus'), contacts }, ['statuses']),
  ErrorNotification: object({ errors: one('NotificationError') }, ['errors']),
  CallNotification: object({ calls: one('Call'), contacts }, ['calls']),
  CallStatusNotification: object({ statuses: one('CallStatus'), contacts }, ['statuses']),
  FieldNotification: object({ field: text, value: {} }, ['field', 'value']),
  ServiceNotification: {
    oneOf: [
      serviceEvent(
        ['flow.published', 'flow.throttled', 'flow.blocked'],
        object({ flow: text, name: text, previous_status: text }, ['flow', 'name', 'previous_status']),
      ),
      serviceEvent(
        ['target.opened', 'target.paused', 'target.closed'],
        object({ number: text, target: oneOf(targets), since: time, failures: { type: 'integer' } }, [
          'number',
          'target',
        ]),
      ),
    ],
  },
  Contact: object({ profile: object({ name: text }), wa_id: text }),
  Message: object(
    {
      from: text,
      id: text,
      timestamp: text,
      type: text,
      context: object({ from: text, id: text }),
      text: object({ body: text }),
      location: object({
        address: text,
        latitude: { type: 'number' },
        longitude: { type: 'number' },
        name: text,
        url: text,
      }),
      image: ref('MediaWithCaption'),
      document: ref('MediaWithCaption'),
      video: ref('MediaWithCaption'),
      audio: ref('Media'),
      sticker: ref('Media'),
      contacts: list(ref('ContactCard')),
    },
    ['id', 'timestamp', 'type'],
  ),
  Media: object(media, ['id']),
  MediaWithCaption: object({ ...media, caption: text }, ['id']),
  ContactCard: object({
    addresses: list(
      object({ city: text, country: text, country_code: text, state: text, street: text, type: text, zip: text }),
    ),
    birthday: text,
    contact_image: text,
    emails: list(object({ email: text, type: text })),
    ims: list(object({ service: text, user_id: text })),
    name: object({ first_name: text, formatted_name: text, last_name: text }),
    org: object({ company: text }),
    phones: list(object({ phone: text, type: text, wa_id: text })),
    urls: list(object({ url: text, type: text })),
  }),
  MessageStatus: object(
    { id: text, status: text, timestamp: text, recipient_id: text, errors: list(ref('NotificationError')) },
    ['id', 'status', 'timestamp'],
  ),
  NotificationError: object({ code: { type: 'number' }, title: text, details: text, href: text }, ['code', 'title']),
  Call: object(
    {
      id: text,
      call_id: text,
      from: text,
      to: text,
      event: text,
      timestamp: text,
      direction: text,
      connection: object({ webrtc: object({ sdp: text }) }),
      session: object({ sdp_type: text, sdp: text }),
      start_time: text,
      end_time: text,
      duration: { type: 'number' },
      status: text,
      errors: list(ref('NotificationError')),
    },
    ['id', 'event', 'timestamp'],
  ),
  CallStatus: object({ id: text, timestamp: text, type: text, status: text, recipient_id: text }, ['id', 'status']),
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

const signatureHeaders = [
  header(
    'webhook-id',
    'Id of the delivery, the same on every attempt. Ignore a notification whose id you have already processed.',
  ),
  header(
    'webhook-timestamp',
    'When this attempt was made, in Unix seconds. Reject a time that is more than five minutes off.',
  ),
  header(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with a signing secret of the number or the workspace (Standard Webhooks).',
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
    requestBody: { required: true, content: { 'application/json': { schema: ref(schema), example } } },
    responses: {
      '200': { description: 'The receiver has accepted the notification' },
      default: { description: 'Any other status is a failure. The service sends the notification again later' },
    },
  },
});

const ana = [{ profile: { name: 'Ana' }, wa_id: '15550100999' }];

/** What the service sends to the URLs of numbers and workspaces, for the `webhooks` of the document. */
export const webhooks = {
  message: webhook({
    summary: 'A message arrived',
    description:
      'Sent to `webhook` and `secondary_webhook` when the number receives a message. The test notification has the same shape.',
    schema: 'MessageNotification',
    example: {
      contacts: ana,
      messages: [
        {
          from: '15550100999',
          id: 'wamid.HBgLMTU1NTAxMDA5OTk',
          timestamp: '1795000000',
          type: 'text',
          text: { body: 'Hello' },
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
      contacts: ana,
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
      contacts: ana,
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
      'Sent to the webhook of the workspace. `type` is `flow.published`, `flow.throttled`, `flow.blocked`, `target.opened`, `target.paused` or `target.closed`.',
    schema: 'ServiceNotification',
    example: {
      type: 'target.opened',
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
