import type { ServiceEvent } from '#shared/webhooks/event-names.ts';
import { header, incomingMessage, jsonBody } from './requests.ts';
import { list, number, object, oneOf, part, ref, type Schema, text } from './schemas.ts';

const refTo = (name: string, description: string): Schema => ({ ...ref(name), description });
const one = (name: string, description: string) => list(ref(name), description, { minItems: 1, maxItems: 1 });
const contactOf = (description: string) => list(ref('Contact'), description, { maxItems: 1 });
const errors = (description: string) => list(ref('NotificationError'), description);

const serviceEvent = (
  types: readonly ServiceEvent['type'][],
  members: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema =>
  object(
    {
      type: oneOf(types, 'What happened.'),
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened: ISO 8601 in UTC.' },
      data: part('What it happened to. The members depend on `type`.', members, required),
    },
    ['type', 'timestamp', 'data'],
  );

const when = text('When it happened, in Unix seconds.');

const media = {
  id: text('Id of the file, for downloading it.'),
  mime_type: text('The media type of the file.'),
  sha256: text('The SHA-256 of the file, in base64.'),
};

/** Schemas of the notifications. More members than these can appear, because members of the upstream pass through. */
export const notificationSchemas: Readonly<Record<string, Schema>> = {
  MessageNotification: object(
    {
      contacts: contactOf('The sender; empty if the platform names none.'),
      messages: one('Message', 'Exactly one message.'),
      conversation_context: part(
        'What was said before, if another app or agent had the conversation. Other members that the platform sends with messages, statuses, errors or calls are passed on.',
        {
          type: text('What it is: `summary`.'),
          summary: part('A text that a model has written. Show it to a person.', { text: text('The text.') }),
        },
      ),
    },
    ['contacts', 'messages'],
  ),
  StatusNotification: object(
    {
      statuses: one('MessageStatus', 'Exactly one status.'),
      contacts: contactOf('The recipient. Absent if the status is `failed`.'),
    },
    ['statuses'],
  ),
  EchoNotification: object(
    {
      contacts: contactOf('The recipient; empty if the platform names none.'),
      message_echoes: one('Message', 'Exactly one message that staff sent. `to` is the recipient.'),
    },
    ['contacts', 'message_echoes'],
  ),
  ErrorNotification: object({ errors: one('NotificationError', 'Exactly one error.') }, ['errors']),
  CallNotification: object(
    {
      calls: one('Call', 'Exactly one event of a call.'),
      contacts: contactOf('The contact that the event is about.'),
    },
    ['calls'],
  ),
  CallStatusNotification: object(
    {
      statuses: one('CallStatus', 'Exactly one status of a call that you started.'),
      contacts: contactOf('The contact that the event is about.'),
    },
    ['statuses'],
  ),
  FieldNotification: object(
    {
      field: text('The field of the messaging platform.'),
      value: { description: 'What the platform sent, without short-lived addresses of files.' },
    },
    ['field', 'value'],
  ),
  ServiceNotification: {
    oneOf: [
      serviceEvent(
        ['flow.published', 'flow.throttled', 'flow.blocked'],
        {
          flow: text('Id of the Flow.'),
          name: text('The name of the Flow.'),
          previous_status: text('The status before, such as `DRAFT`.'),
        },
        ['flow', 'name', 'previous_status'],
      ),
      serviceEvent(
        ['target.failing', 'target.paused', 'target.recovered'],
        {
          number: text('Id of the number.'),
          target: text('The name of the target, such as `webhook`.'),
          since: { type: 'string', format: 'date-time', description: 'When the circuit breaker of the target opened.' },
          failures: { type: 'integer', description: 'How often the target has failed in a row.' },
        },
        ['number', 'target'],
      ),
    ],
  },
  Contact: object({
    profile: part('What the contact shows to others.', { name: text("The contact's display name.") }),
    wa_id: text("The contact's id on the platform, digits only. Absent for people who hide their number."),
  }),
  Message: object(
    {
      from: text('Id of the sender. Absent for people who hide their number.'),
      id: text('Id of the message.'),
      timestamp: text('When the message was sent, in Unix seconds.'),
      type: text(
        'The kind of message, and the name of the member that holds its content: `text`, `location`, `contacts`, `image`, `document`, `audio`, `video`, `sticker` or another that the platform has. Voice messages have the type `audio`.',
      ),
      context: part('On a reply: the message that it replies to.', {
        from: text('Sender of the original message.'),
        id: text('Id of the original message.'),
      }),
      text: part('The content of a text message.', { body: text('The text.') }),
      location: part('The content of a location message.', {
        address: text('The address.'),
        latitude: number('The latitude in degrees.'),
        longitude: number('The longitude in degrees.'),
        name: text('The name of the place.'),
        url: text('The web page of the place.'),
      }),
      image: refTo('MediaWithCaption', 'The content of an image message.'),
      document: refTo('MediaWithCaption', 'The content of a document message.'),
      video: refTo('MediaWithCaption', 'The content of a video message.'),
      audio: refTo('Media', 'The content of an audio or voice message.'),
      sticker: refTo('Media', 'The content of a sticker message.'),
      contacts: list(ref('ContactCard'), 'The content of a contacts message.'),
    },
    ['id', 'timestamp', 'type'],
  ),
  Media: object(media, ['id']),
  MediaWithCaption: object({ ...media, caption: text('The text below the file.') }, ['id']),
  ContactCard: object({
    addresses: list(
      object({
        city: text('City.'),
        country: text('Country.'),
        country_code: text('Country code.'),
        state: text('State.'),
        street: text('Street and house number.'),
        type: text('The kind of address, such as `WORK`.'),
        zip: text('Postal code.'),
      }),
      'Postal addresses.',
    ),
    birthday: text('The birthday as `YYYY-MM-DD`.'),
    contact_image: text('A picture in base64.'),
    emails: list(
      object({ email: text('The email address.'), type: text('The kind of email address, such as `WORK`.') }),
      'Email addresses.',
    ),
    ims: list(
      object({ service: text('The service.'), user_id: text('The id of the user there.') }),
      'Instant messaging accounts.',
    ),
    name: part('The name of the contact.', {
      first_name: text('First name.'),
      formatted_name: text('The whole name.'),
      last_name: text('Last name.'),
    }),
    org: part('The organisation of the contact.', { company: text('Company.') }),
    phones: list(
      object({
        phone: text('The phone number.'),
        type: text('The kind of phone number, such as `CELL` or `WORK`.'),
        wa_id: text("The phone number's id on the platform."),
      }),
      'Phone numbers.',
    ),
    urls: list(object({ url: text('The URL.'), type: text('The kind of web page, such as `WORK`.') }), 'Web pages.'),
  }),
  MessageStatus: object(
    {
      id: text('Id of the message sent.'),
      status: text('`sent`, `delivered`, `read` or `failed`; the platform may add others.'),
      timestamp: when,
      recipient_id: text('Id of the recipient. Absent for people who hide their number.'),
      errors: errors('Why the message failed; present only if the status is `failed`.'),
    },
    ['id', 'status', 'timestamp'],
  ),
  NotificationError: object(
    {
      code: number("The platform's code of the error."),
      title: text('What went wrong.'),
      details: text('Details, if the platform has any.'),
      href: text('Where the error is documented.'),
    },
    ['code', 'title'],
  ),
  Call: object(
    {
      id: text('Id of the call.'),
      call_id: text('On `connect`: the same as `id`, under the name that accept, reject and end take.'),
      from: text('Id of the caller.'),
      to: text('Id of the person or number called.'),
      event: text('`connect` when the call comes in or is answered, `terminate` when it has ended.'),
      timestamp: when,
      direction: text('`USER_INITIATED` or `BUSINESS_INITIATED`.'),
      connection: part('On `connect`: the WebRTC connection.', {
        webrtc: part('The WebRTC connection of the other side.', {
          sdp: text('SDP of the connection; the same as `session.sdp`.'),
        }),
      }),
      session: part('On `connect`: the session of the call.', {
        sdp_type: text('`offer` for an incoming call, `answer` for one that you started.'),
        sdp: text('SDP of the session.'),
      }),
      start_time: text('On `terminate`: when the call was picked up, in Unix seconds. Absent if it was not.'),
      end_time: text('On `terminate`: when the call ended, in Unix seconds. Absent if it was not picked up.'),
      duration: number('On `terminate`: how long the call lasted, in seconds. Absent if it was not picked up.'),
      status: text('On `terminate`: `COMPLETED` or `FAILED`.'),
      errors: errors('Why the call failed, if the platform says so with the event.'),
    },
    ['id', 'event', 'timestamp'],
  ),
  CallStatus: object(
    {
      id: text('Id of the call.'),
      timestamp: when,
      type: text('Always `call`.'),
      status: text('`RINGING`, `ACCEPTED` or `REJECTED`.'),
      recipient_id: text("The contact's id on the platform."),
    },
    ['id', 'status'],
  ),
};

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
