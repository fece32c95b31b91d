import type { ServiceEvent } from '#shared/webhooks/event-names.ts';
import { list, type Members, number, object, oneOf, part, ref, type Schema } from './schemas.ts';

const refTo = (name: string, description: string): Schema => ({ ...ref(name), description });
const one = (name: string, description: string) => list(description, ref(name), { minItems: 1, maxItems: 1 });
const contactOf = (description: string) => list(description, ref('Contact'), { maxItems: 1 });
const errors = (description: string) => list(description, ref('NotificationError'));

const serviceEvent = (types: readonly ServiceEvent['type'][], required: readonly string[], members: Members) =>
  object(['type', 'timestamp', 'data'], {
    type: oneOf(types, 'What happened.'),
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened: ISO 8601 in UTC.' },
    data: { ...object(required, members), description: 'What it happened to. The members depend on `type`.' },
  });

const when = 'When it happened, in Unix seconds.';

const media = {
  id: 'Id of the file, for downloading it.',
  mime_type: 'The media type of the file.',
  sha256: 'The SHA-256 of the file, in base64.',
};

/** Schemas of the notifications. More members than these can appear, because members of the upstream pass through. */
export const notificationSchemas: Readonly<Record<string, Schema>> = {
  MessageNotification: object(['contacts', 'messages'], {
    contacts: contactOf('The sender; empty if the platform names none.'),
    messages: one('Message', 'Exactly one message.'),
    conversation_context: part(
      'What was said before, if another app or agent had the conversation. Other members that the platform sends with messages, statuses, errors or calls are passed on.',
      {
        type: 'What it is: `summary`.',
        summary: part('A text that a model has written. Show it to a person.', { text: 'The text.' }),
      },
    ),
  }),
  StatusNotification: object(['statuses'], {
    statuses: one('MessageStatus', 'Exactly one status.'),
    contacts: contactOf('The recipient. Absent if the status is `failed`.'),
  }),
  EchoNotification: object(['contacts', 'message_echoes'], {
    contacts: contactOf('The recipient; empty if the platform names none.'),
    message_echoes: one('Message', 'Exactly one message that staff sent. `to` is the recipient.'),
  }),
  ErrorNotification: object(['errors'], { errors: one('NotificationError', 'Exactly one error.') }),
  CallNotification: object(['calls'], {
    calls: one('Call', 'Exactly one event of a call.'),
    contacts: contactOf('The contact that the event is about.'),
  }),
  CallStatusNotification: object(['statuses'], {
    statuses: one('CallStatus', 'Exactly one status of a call that you started.'),
    contacts: contactOf('The contact that the event is about.'),
  }),
  FieldNotification: object(['field', 'value'], {
    field: 'The field of the messaging platform.',
    value: { description: 'What the platform sent, without short-lived addresses of files.' },
  }),
  ServiceNotification: {
    oneOf: [
      serviceEvent(['flow.published', 'flow.throttled', 'flow.blocked'], ['flow', 'name', 'previous_status'], {
        flow: 'Id of the Flow.',
        name: 'The name of the Flow.',
        previous_status: 'The status before, such as `DRAFT`.',
      }),
      serviceEvent(['target.failing', 'target.paused', 'target.recovered'], ['number', 'target'], {
        number: 'Id of the number.',
        target: 'The name of the target, such as `webhook`.',
        since: { type: 'string', format: 'date-time', description: 'When the circuit breaker of the target opened.' },
        failures: { type: 'integer', description: 'How often the target has failed in a row.' },
      }),
    ],
  },
  Contact: object([], {
    profile: part('What the contact shows to others.', { name: "The contact's display name." }),
    wa_id: "The contact's id on the platform, digits only. Absent for people who hide their number.",
  }),
  Message: object(['id', 'timestamp', 'type'], {
    from: 'Id of the sender. Absent for people who hide their number.',
    id: 'Id of the message.',
    timestamp: 'When the message was sent, in Unix seconds.',
    type: 'The kind of message, and the name of the member that holds its content: `text`, `location`, `contacts`, `image`, `document`, `audio`, `video`, `sticker` or another that the platform has. Voice messages have the type `audio`.',
    context: part('On a reply: the message that it replies to.', {
      from: 'Sender of the original message.',
      id: 'Id of the original message.',
    }),
    text: part('The content of a text message.', { body: 'The text.' }),
    location: part('The content of a location message.', {
      address: 'The address.',
      latitude: number('The latitude in degrees.'),
      longitude: number('The longitude in degrees.'),
      name: 'The name of the place.',
      url: 'The web page of the place.',
    }),
    image: refTo('MediaWithCaption', 'The content of an image message.'),
    document: refTo('MediaWithCaption', 'The content of a document message.'),
    video: refTo('MediaWithCaption', 'The content of a video message.'),
    audio: refTo('Media', 'The content of an audio or voice message.'),
    sticker: refTo('Media', 'The content of a sticker message.'),
    contacts: list('The content of a contacts message.', ref('ContactCard')),
  }),
  Media: object(['id'], media),
  MediaWithCaption: object(['id'], { ...media, caption: 'The text below the file.' }),
  ContactCard: object([], {
    addresses: list(
      'Postal addresses.',
      object([], {
        city: 'City.',
        country: 'Country.',
        country_code: 'Country code.',
        state: 'State.',
        street: 'Street and house number.',
        type: 'The kind of address, such as `WORK`.',
        zip: 'Postal code.',
      }),
    ),
    birthday: 'The birthday as `YYYY-MM-DD`.',
    contact_image: 'A picture in base64.',
    emails: list(
      'Email addresses.',
      object([], { email: 'The email address.', type: 'The kind of email address, such as `WORK`.' }),
    ),
    ims: list(
      'Instant messaging accounts.',
      object([], { service: 'The service.', user_id: 'The id of the user there.' }),
    ),
    name: part('The name of the contact.', {
      first_name: 'First name.',
      formatted_name: 'The whole name.',
      last_name: 'Last name.',
    }),
    org: part('The organisation of the contact.', { company: 'Company.' }),
    phones: list(
      'Phone numbers.',
      object([], {
        phone: 'The phone number.',
        type: 'The kind of phone number, such as `CELL` or `WORK`.',
        wa_id: "The phone number's id on the platform.",
      }),
    ),
    urls: list('Web pages.', object([], { url: 'The URL.', type: 'The kind of web page, such as `WORK`.' })),
  }),
  MessageStatus: object(['id', 'status', 'timestamp'], {
    id: 'Id of the message sent.',
    status: '`sent`, `delivered`, `read` or `failed`; the platform may add others.',
    timestamp: when,
    recipient_id: 'Id of the recipient. Absent for people who hide their number.',
    errors: errors('Why the message failed; present only if the status is `failed`.'),
  }),
  NotificationError: object(['code', 'title'], {
    code: number("The platform's code of the error."),
    title: 'What went wrong.',
    details: 'Details, if the platform has any.',
    href: 'Where the error is documented.',
  }),
  Call: object(['id', 'event', 'timestamp'], {
    id: 'Id of the call.',
    call_id: 'On `connect`: the same as `id`, under the name that accept, reject and end take.',
    from: 'Id of the caller.',
    to: 'Id of the person or number called.',
    event: '`connect` when the call comes in or is answered, `terminate` when it has ended.',
    timestamp: when,
    direction: '`USER_INITIATED` or `BUSINESS_INITIATED`.',
    connection: part('On `connect`: the WebRTC connection.', {
      webrtc: part('The WebRTC connection of the other side.', {
        sdp: 'SDP of the connection; the same as `session.sdp`.',
      }),
    }),
    session: part('On `connect`: the session of the call.', {
      sdp_type: '`offer` for an incoming call, `answer` for one that you started.',
      sdp: 'SDP of the session.',
    }),
    start_time: 'On `terminate`: when the call was picked up, in Unix seconds. Absent if it was not.',
    end_time: 'On `terminate`: when the call ended, in Unix seconds. Absent if it was not picked up.',
    duration: number('On `terminate`: how long the call lasted, in seconds. Absent if it was not picked up.'),
    status: 'On `terminate`: `COMPLETED` or `FAILED`.',
    errors: errors('Why the call failed, if the platform says so with the event.'),
  }),
  CallStatus: object(['id', 'status'], {
    id: 'Id of the call.',
    timestamp: when,
    type: 'Always `call`.',
    status: '`RINGING`, `ACCEPTED` or `REJECTED`.',
    recipient_id: "The contact's id on the platform.",
  }),
};
