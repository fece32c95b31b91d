import { deliveryKeptDays } from '#shared/domain/deliveries/limits.ts';

type Members = Readonly<Record<string, string>>;

const statuses = '0 `UNKNOWN`, 1 `DRAFT`, 2 `PUBLISHED`, 3 `DEPRECATED`, 4 `BLOCKED`, 5 `THROTTLED`';
const categories =
  '1 `SIGN_UP`, 2 `SIGN_IN`, 3 `APPOINTMENT_BOOKING`, 4 `LEAD_GENERATION`, 5 `CONTACT_US`, 6 `CUSTOMER_SUPPORT`, 7 `SURVEY`, 8 `OTHER`';

const workspace: Members = {
  id: 'Id of the workspace.',
  name: 'The name of the workspace.',
  waba_id: 'Id of its business account on the messaging platform; `null` without one. Flows need one.',
  role: 'What the user is in the workspace: an `owner` may change Flows, a `member` may read them.',
  calling_enabled: 'Whether calling is on in the workspace. Calls also need a number for which it is on.',
  created_at: 'When the workspace was created.',
};

const number: Members = {
  id: 'Id of the number.',
  workspace: 'Id of the workspace of the number.',
  display_phone_number: 'The number as people read it.',
  phone_number_id: 'Id of the number on the messaging platform.',
  calling_enabled: 'Whether calling is on for the number. Calls also need a workspace in which it is on.',
  created_at: 'When the number was created.',
};

const flow: Members = {
  id: 'Id of the Flow.',
  wa_id: 'Id of the Flow on the messaging platform.',
  status: 'The status of the Flow.',
  'status.id': `The id of the status: ${statuses}.`,
  'status.code': 'The code of the status. It never changes with the language.',
  'status.description': 'The name of the status in the language of the response.',
  version: 'The version of the Flow JSON that the messaging platform reports; `null` until it reports one.',
  name: 'The name of the Flow.',
  categories: 'The categories of the Flow.',
  'categories[].id': `The id of the category: ${categories}.`,
  'categories[].code': 'The code of the category. It never changes with the language.',
  'categories[].description': 'The name of the category in the language of the response.',
  json: 'The Flow JSON: screens and components. Empty on a new Flow.',
  endpoint_encrypted: 'Whether the customer holds the private key of the endpoint and decrypts the exchanges.',
  endpoint_url: 'The URL of the endpoint of a dynamic Flow; `null` without one.',
  created_at: 'When the Flow was created.',
  updated_at: 'When the Flow was last changed.',
};

const flowMetadata = {
  name: 'The name of the Flow: at most 200 characters.',
  categories: `The ids of at least one category, each once: ${categories}.`,
  endpoint_url:
    'The `https` URL of the endpoint of a dynamic Flow. `null` for a Flow without one, which is the default of a new Flow; an update without this member keeps the endpoint. An update with `null` removes it, here and on the messaging platform. If the platform rejects that, nothing changes (`400`); if it keeps the endpoint all the same, so does this service, as the response shows.',
  endpoint_encrypted:
    'Whether you hold the private key of the endpoint and decrypt the exchanges. If `false`, this service holds the key and sends you plain JSON. Required with an `endpoint_url`. `true` is the default of a Flow without one; an update without both members keeps this one.',
} satisfies Members;

const page: Members = {
  links: 'URLs of the pages around this one.',
  'links.first': 'The first page.',
  'links.last': 'Always `null`: the last page is not known in advance.',
  'links.prev': 'The page before this one; `null` on the first page.',
  'links.next': 'The page after this one; `null` on the last page.',
  meta: 'What the page is part of.',
  'meta.path': 'The URL of the list.',
  'meta.per_page': 'The `limit` of the page.',
  'meta.next_cursor': 'The `cursor` of the page after this one; `null` on the last page.',
  'meta.prev_cursor': 'The `cursor` of the page before this one; `null` on the first page.',
};

const delivery: Members = {
  id: 'Id of the delivery: the `webhook-id` of its notification.',
  target: 'Where the notification goes.',
  kind: 'What the notification is about. Workspaces get `field`, a field of the messaging platform that belongs to no webhook of a number, and `service`, an event of this service.',
  state:
    '`sending`: an attempt is in progress. `delivered`: the receiver responded with 200. `waiting`: the last attempt failed and another follows. `held`: the target is failing, and the delivery is sent when it recovers. `exhausted`: every attempt failed. `discarded`: the URL of the target was removed, or the number was switched off.',
  attempts: 'The attempts so far, oldest first.',
  next_attempt_at: 'When the next attempt is due; `null` if none is.',
  created_at: 'When the event arrived.',
  sent_flow:
    'The Flow message that the notification completes. Present only for the final response of a Flow that was sent by its id.',
};

const webhooks: Members = {
  webhook: 'The URL for messages, statuses and errors; `null` if there is none.',
  secondary_webhook: 'The URL for a second copy of what goes to `webhook`; `null` if there is none.',
  calls_webhook: 'The URL for call events; `null` if there is none.',
};

const replayRange: Members = {
  since: `Replays deliveries created at this time or later: ISO 8601 with a time zone, at most ${deliveryKeptDays} days ago.`,
  until: 'Replays deliveries created before this time: ISO 8601 with a time zone. Now, by default.',
  state: 'Replays deliveries in this state; `exhausted` by default.',
  cursor: 'The `next_cursor` of the previous response.',
};

const unixSeconds = 'When it happened, in Unix seconds.';

const contacts: Members = { contacts: 'The contact that the event is about.' };

const media: Members = {
  id: 'Id of the file, for downloading it.',
  mime_type: 'The media type of the file.',
  sha256: 'The SHA-256 of the file, in base64.',
};

const capture = (what: string): Members => ({
  [what]: `Asks the platform for a ${what} of the call. Further members are passed on.`,
  [`${what}.status`]: `Whether there is to be a ${what}, in the platform's words.`,
  [`${what}.purpose`]: 'Why, as the platform announces it to the contact.',
  [`${what}.announcement_language`]: 'The language of the announcement.',
});

/** What every message has. */
const ofMessages = {
  to: 'The phone number of the contact with its country code: a plus sign and 7 to 15 digits, which may have spaces, hyphens and parentheses between them. The platform gets `+` and digits. Up to 20 bare digits stay as they are; the platform may put the calling code of your own number before them. With `recipient_type` `group`, the id of a group. Required if `recipient` is absent. If both are present, the platform uses `to`.',
  recipient: 'The user id of the contact, instead of `to`. A user id in `to` is rejected.',
  recipient_type: '`group` if `to` is the id of a group, otherwise `individual`, the default.',
  context: 'The message that this one replies to.',
  'context.message_id': 'Id of that message.',
  biz_opaque_callback_data: 'Any text. It returns in the statuses of the message.',
};

const callOptions: Members = {
  biz_opaque_callback_data: 'Any text of yours. It comes back in the events of the call.',
  ...capture('recording'),
  ...capture('transcription'),
};

const callCommon: Members = { id: 'Id of the call.', timestamp: unixSeconds };

/**
 * Descriptions of the members of every schema, by the name of its component, or by `operationId.request` and
 * `operationId.STATUS` for a schema that has no name. Nested members are written `status.id` and `categories[].code`.
 */
export const memberDescriptions: Readonly<Record<string, Members>> = {
  Error: { message: 'What went wrong, in the language of the response.' },
  ValidationFailure: {
    message: 'The first error, and how many more there are.',
    errors: 'The errors of each invalid field. Nested fields are dotted: `connection.webrtc.sdp`.',
  },
  Workspace: workspace,
  WebhookTargetChanges: {
    events:
      'The only events that the target gets; `null` for all. A name is the list of the notification, alone or with the `type` of a message, the `status` of a status or the `event` of a call: `messages`, `messages.text`, `statuses.failed`, `calls.terminate`, `errors`. At a workspace it is a field or a type: `account_update`, `flow`, `flow.published`.',
    headers:
      'Up to five headers that are sent with every notification, by name; `null` for none. They replace all earlier ones. A list of names, as responses show it, keeps those that are set. No header of the connection or of this service can be set. They are sent only to the origin of the URL that the target has now.',
    url: 'The URL that the change is meant for. If the target has another one by now, nothing changes and the response is `409`.',
  },
  WebhookTarget: {
    events: 'The only events that the target gets; `null` for all.',
    headers: 'The names of its own headers for the server of its URL. Their values are never shown.',
  },
  WorkspacePage: { data: 'The workspaces, newest first.', ...page },
  Number: number,
  NumberPage: {
    data: 'The numbers: those of the newest workspace first, and in each workspace the newest first.',
    ...page,
  },
  Flow: flow,
  ListedFlow: { ...flow, json: 'The Flow JSON: screens and components. Absent with `json=false`.' },
  FlowPage: { data: 'The Flows, newest first.', ...page },
  FlowMetadata: flowMetadata,
  FlowMetadataChanges: {
    ...flowMetadata,
    categories: `${flowMetadata.categories} An object with the \`id\`, as responses have it, stands for its id.`,
    'categories[].id': 'The id of the category.',
    json: 'The Flow JSON as it is stored. Another one is rejected.',
  },
  'updateFlowJson.request': { json: 'The whole Flow JSON: screens and components.' },
  ValidatedFlow: {
    ...flow,
    validation_errors: 'What the messaging platform found wrong with the Flow JSON; empty if nothing.',
  },
  ValidationError: { error: "The platform's code of the error.", message: 'What is wrong.' },
  FlowExchangeList: { data: 'The exchanges, newest first.' },
  FlowExchange: {
    at: 'When the exchange took place.',
    preview: 'The preview that made the exchange; `null` for a phone or a health check.',
    action: 'The action of the request, such as `INIT`, `data_exchange` or `ping`; `null` if only you can decrypt it.',
    screen: 'The screen that the phone showed; `null` if there was none, or if only you can decrypt it.',
    reported_error: 'The code of an error that the phone reports; `null` if it reports none.',
    answered_screen: 'The screen that the endpoint responded with; `null` if there was none.',
    duration_ms: 'How long the endpoint took, in milliseconds.',
    status: 'The HTTP status of the endpoint; `null` if it did not respond.',
    bytes: 'The size of the response of the endpoint; `null` if it did not respond.',
    outcome: '`answered` if the phone received a response, otherwise `failed`.',
    fault: 'The code of what went wrong; `null` if nothing did.',
    explanation: 'What went wrong and what to do, in the language of the response; `null` if nothing did.',
    findings: 'The differences between the response and what the Flow declares.',
  },
  FlowExchangeFinding: {
    code: 'The code of the finding.',
    path: 'The screen or the member of the response that the finding is about; `null` where its name may be personal data.',
    expected: 'The declared type, for a value of the wrong type; otherwise `null`.',
    explanation: 'What is wrong and what to do, in the language of the response.',
  },
  FlowFunnel: {
    sent: 'How many messages with this Flow the platform has accepted.',
    opened:
      'How many of them were opened, as far as the exchanges with the endpoint show; `null` if this service cannot read them.',
    completed: 'How many of them were completed.',
    screens:
      'The screens on which contacts stopped, most contacts first; `null` if this service cannot read the exchanges.',
  },
  FlowFunnelScreen: {
    screen: 'The id of the screen.',
    stopped: 'How many contacts saw this screen last and have not completed the Flow, or not yet.',
  },
  PreviewRequest: {
    number: 'Id of an active number of the workspace.',
    valid_until:
      'How long the preview is valid: 1 for 1 hour, 2 for 2 hours, 3 for 4, 4 for 8, 5 for 16, 6 for 24 hours.',
    invalidate_previous: 'Whether to invalidate all earlier previews of the Flow; `false` by default.',
  },
  Preview: {
    id: 'Id of the preview.',
    url: 'The URL that opens the preview.',
    secret: 'The six digits that open the preview. Shown only in this response.',
    valid_until: 'When the preview ends: a date-time, unlike the 1 to 6 of the request.',
    created_at: 'When the preview was created.',
    updated_at: 'When the preview was last changed.',
  },
  'exchangePreviewData.request': {
    action: 'What the phone would send: `INIT` when the Flow opens, `BACK` on going back, `data_exchange` on a submit.',
    screen: 'The screen that is shown.',
    data: 'What the screen submits.',
  },
  'exchangePreviewData.200': {
    answer: 'The response of the endpoint, if a phone could use it.',
    problems: 'The differences between the response and what the Flow declares.',
    status: 'The HTTP status of the endpoint.',
    fault: 'What went wrong, in the language of the response.',
  },
  WebhookSettings: webhooks,
  'updateWebhook.request': {
    webhook: 'The `https` URL for messages, statuses and errors. `null` removes it; if absent, it stays.',
    secondary_webhook:
      'The `https` URL for a second copy of what goes to `webhook`. `null` removes it; if absent, it stays.',
    calls_webhook: 'The `https` URL for call events. `null` removes it; if absent, it stays.',
  },
  SigningSecret: {
    secret: 'The new signing secret: `whsec_` and the key in base64. Shown only in this response.',
    previous_valid_until: 'The time until which the previous secret also signs.',
  },
  'testWebhook.200': {
    success: 'Whether the receiver responded with 200.',
    status: 'The HTTP status of the receiver; `null` if it did not respond.',
    duration_ms: 'How long the receiver took, in milliseconds.',
  },
  Delivery: delivery,
  DeliveryPage: { data: 'The deliveries, newest first.', ...page },
  DeliveryWithPayload: {
    ...delivery,
    payload: 'The body of the notification, byte for byte; only its beginning where there is a `payload_url`.',
    payload_url:
      'Link to the whole body, which works for five minutes without a token. Present only where the body is too long for this response.',
  },
  SentFlow: {
    flow: 'Id of the Flow.',
    message: 'Id of the message that sent the Flow; absent in the rare case that it never became known.',
    contact: 'The phone number or user id to which the Flow was sent.',
  },
  DeliveryAttempt: {
    at: 'When the attempt began.',
    duration_ms: 'How long the attempt took, in milliseconds.',
    status: 'The HTTP status of the receiver; `null` if it did not respond.',
    error: 'The code of the connection error; `null` if the receiver responded.',
    explanation: 'What went wrong and what to do, in the language of the response; `null` if nothing did.',
    response_excerpt: "The beginning of the receiver's response; `null` if it had no body.",
    replay: 'Whether the attempt was a replay.',
  },
  'replayDelivery.200': { success: 'Always `true`: the attempt is queued.' },
  ReplayRequest: {
    ...replayRange,
    target: 'Replays deliveries to this target; to every target that has a URL, by default.',
  },
  'replayWorkspaceDeliveries.request': replayRange,
  Replayed: {
    replayed: 'How many deliveries are being replayed.',
    more: 'Whether there are more deliveries to replay.',
    next_cursor: 'The `cursor` for the next request; `null` if there are no more.',
  },
  'resumeWebhook.request': { target: 'The target to resume; every failing target, by default.' },
  'resumeWebhook.200': { resumed: 'The targets that were resumed.' },
  WorkspaceWebhook: { webhook: 'The URL of the webhook; `null` if there is none.' },
  'updateWorkspaceWebhook.request': { webhook: 'The `https` URL of the webhook; `null` removes it.' },
  'replayWorkspaceDelivery.200': { success: 'Always `true`: the attempt is queued.' },
  'resumeWorkspaceWebhook.request': { target: 'The target, always `webhook`.' },
  'resumeWorkspaceWebhook.200': { resumed: 'The targets that were resumed.' },
  PlatformMessage: {
    ...ofMessages,
    type: 'The type of the message. The member of this name has the content: `text`, `template`, `interactive`.',
    category:
      'Sends a text or an interactive message outside the 24-hour window without a template: `utility`, or `authentication` if the platform permits it.',
  },
  MarketingMessage: {
    ...ofMessages,
    type: 'Always `template`.',
    template: 'The template, which has the category marketing: `name`, `language`, `components`.',
    'template.name': 'The name of the template.',
    product_policy:
      '`STRICT`: the message fails if the account cannot send it as a marketing message. `CLOUD_API_FALLBACK`, the default: it is then sent as an ordinary message.',
    message_activity_sharing:
      'Whether Meta may use what the contact does with the message. Replaces the setting of the account.',
  },
  FlowMessage: {
    ...ofMessages,
    type: 'Sends a Flow of the workspace by its id.',
    flow: 'The Flow and the texts of the message.',
  },
  ReadReceipt: {
    status: 'Marks a received message as read. Such a request has no recipient and no `type`.',
    message_id: 'Id of the message to mark as read.',
    typing_indicator: 'Shows the contact that you are typing, until you send a message, but for 25 seconds at most.',
    'typing_indicator.type': 'Always `text`.',
  },
  FlowContent: {
    flow: 'Id of the Flow. It must be published, or a draft with `mode` `draft`.',
    cta: 'The text of the button that opens the Flow, without emoji.',
    body: 'The text of the message.',
    header: 'A title above the text.',
    footer: 'A line below the text.',
    screen:
      'The screen on which the Flow opens. By default the endpoint of the Flow names it; without an endpoint, it is the first screen.',
    data: 'The data for that screen, as its `data` in the Flow JSON declares it.',
    mode: '`draft` to try out a draft; `published` by default.',
    expires_in:
      'How many seconds the `flow_token` of the message is accepted in requests to the endpoint; 30 days by default.',
  },
  SentMessage: {
    messages: 'Exactly one message.',
    'messages[].id': 'Id of the message, as in its statuses.',
    contacts: 'The recipient, as the request named it (`input`) and as the platform knows it (`wa_id`, `user_id`).',
  },
  'sendMessage.200': { success: 'Always `true`.' },
  CallPermission: {
    number: 'The two sides of the calls.',
    'number.uuid': 'Id of the number.',
    'number.waba_id': 'Id of the business account on the messaging platform.',
    'number.user_wa_id': "The contact's id on the messaging platform, as in the request; absent with `recipient`.",
    'number.recipient': 'The user id of the contact, as in the request; absent with `user_wa_id`.',
    'number.to': 'The number that calls are placed from.',
    calling: 'What the number may do with the contact.',
    'calling.messaging_product': 'Always `whatsapp`.',
    'calling.permission': 'Whether the contact permits calls.',
    'calling.permission.status': '`no_permission`, `temporary` or `permanent`; the platform may add others.',
    'calling.permission.expiration_time':
      'When the permission expires, in Unix seconds; `0` unless the permission is temporary.',
    'calling.actions': 'The actions and their limits.',
    'calling.actions[].action_name': '`send_call_permission_request` or `start_call`.',
    'calling.actions[].can_perform_action': 'Whether the action can be performed now.',
    'calling.actions[].limits': 'The limits of the action.',
    'calling.actions[].limits[].time_period': 'ISO 8601 duration: `PT24H` (24 hours) or `P7D` (7 days).',
    'calling.actions[].limits[].max_allowed': 'How often the action may be performed in the period.',
    'calling.actions[].limits[].current_usage': 'How often the action has been performed in the current period.',
  },
  CallRequest: {
    to: "The contact's id on the platform, digits only.",
    recipient: 'The user id of a contact whose phone number is unknown, instead of `to`.',
    connection: 'The WebRTC connection.',
    'connection.webrtc': 'The WebRTC connection of the caller.',
    'connection.webrtc.sdp': 'SDP (RFC 8866) of the connection; the same as `session.sdp`.',
    session: 'The session of the call.',
    'session.sdp': 'SDP (RFC 8866) of the offer. The call is made with it; it is forwarded unchanged.',
    'session.sdp_type':
      '`offer`, the default. Other values, such as `answer`, are accepted and ignored: the SDP is sent as an offer.',
    ...callOptions,
  },
  CallSettings: {
    status: 'Whether the number has calling: `ENABLED` or `DISABLED`.',
    call_icon_visibility: 'Whether contacts see the call button: `DEFAULT` or `DISABLE_ALL`.',
    call_icons: 'In which countries contacts see the call button: `restrict_to_user_countries`.',
    call_hours: 'When the number takes calls: `status`, `timezone_id`, `weekly_operating_hours`, `holiday_schedule`.',
    callback_permission_status: 'Whether a contact who calls permits to be called back: `ENABLED` or `DISABLED`.',
    sip: 'Calls over SIP: `status` and `servers`. With `ENABLED`, calls cannot be handled here.',
    srtp_key_exchange_protocol: 'How the keys of the audio are exchanged: `DTLS` or `SDES`.',
    audio: 'The codecs besides Opus: `additional_codecs`.',
    voicemail: 'Whether contacts can leave a message: `status`, `triggers`, and `audio` with the announcement.',
  },
  CallAnswer: { success: 'Always `true`.' },
  CallAcceptance: {
    call_id: 'The `id` of the call in its `connect` event.',
    sdp: 'The SDP answer (RFC 8866), forwarded unchanged.',
    ...callOptions,
  },
  'rejectCall.request': { call_id: 'The `id` of the call in its `connect` event.' },
  'hangUpCall.request': { call_id: 'The `id` of the call in its events.' },
  UploadedMedia: { id: 'The id of the file, for messages of the number. It is valid for 30 days.' },
  MediaUploadRequest: {
    type: 'The media type of the file, such as `application/pdf`: one that the messaging platform takes (docs/media.md).',
    size: 'The size of the file in bytes.',
  },
  MediaUpload: {
    upload: 'The id of the upload, for completing it within a day.',
    url: 'Where to send the file. Do not send a token to it.',
    method: 'Always `PUT`.',
    headers: 'The headers to send with the file. The signature of the URL covers them.',
    expires_at: 'When the URL stops to work.',
  },
  'receiveEvents.200': { success: 'Always `true`: the queue has accepted every notification.' },
  'getOpenapi.200': { openapi: 'The version of OpenAPI.' },

  MessageNotification: {
    contacts: 'The sender; empty if the platform names none.',
    messages: 'Exactly one message.',
    conversation_context:
      'What was said before, if another app or agent had the conversation. A notification has whatever else the platform says beside its messages, statuses, errors or calls, too.',
    'conversation_context.type': 'What it is: `summary`.',
    'conversation_context.summary': 'A text that a model has written. Show it to a person.',
    'conversation_context.summary.text': 'The text.',
  },
  StatusNotification: {
    statuses: 'Exactly one status.',
    contacts: 'The recipient. Absent if the status is `failed`.',
  },
  ErrorNotification: { errors: 'Exactly one error.' },
  CallNotification: { calls: 'Exactly one event of a call.', ...contacts },
  FieldNotification: {
    field: 'The field of the messaging platform.',
    value: 'What the platform sent, without short-lived addresses of files.',
  },
  ServiceNotification: {
    type: 'What happened.',
    timestamp: 'When it happened: ISO 8601 in UTC.',
    data: 'What it happened to. The members depend on `type`.',
    'data.flow': 'Id of the Flow.',
    'data.name': 'The name of the Flow.',
    'data.previous_status': 'The status before, such as `DRAFT`.',
    'data.number': 'Id of the number.',
    'data.target': 'The target: `webhook`, `secondary_webhook` or `calls_webhook`.',
    'data.since': 'When the circuit breaker of the target opened.',
    'data.failures': 'How often the target has failed in a row.',
  },
  CallStatusNotification: { statuses: 'Exactly one status of a call that you started.', ...contacts },
  Contact: {
    profile: 'What the contact shows to others.',
    'profile.name': "The contact's display name.",
    wa_id: "The contact's id on the platform, digits only. Absent for people who hide their number.",
  },
  Message: {
    from: 'Id of the sender. Absent for people who hide their number.',
    id: 'Id of the message.',
    timestamp: 'When the message was sent, in Unix seconds.',
    type: 'The kind of message, and the name of the member that holds its content: `text`, `location`, `contacts`, `image`, `document`, `audio`, `video`, `sticker` or another that the platform has. Voice messages have the type `audio`.',
    context: 'On a reply: the message that it replies to.',
    'context.from': 'Sender of the original message.',
    'context.id': 'Id of the original message.',
    text: 'The content of a text message.',
    'text.body': 'The text.',
    location: 'The content of a location message.',
    'location.address': 'The address.',
    'location.latitude': 'The latitude in degrees.',
    'location.longitude': 'The longitude in degrees.',
    'location.name': 'The name of the place.',
    'location.url': 'The web page of the place.',
    image: 'The content of an image message.',
    document: 'The content of a document message.',
    video: 'The content of a video message.',
    audio: 'The content of an audio or voice message.',
    sticker: 'The content of a sticker message.',
    contacts: 'The content of a contacts message.',
  },
  Media: media,
  MediaWithCaption: { ...media, caption: 'The text below the file.' },
  ContactCard: {
    addresses: 'Postal addresses.',
    'addresses[].city': 'City.',
    'addresses[].country': 'Country.',
    'addresses[].country_code': 'Country code.',
    'addresses[].state': 'State.',
    'addresses[].street': 'Street and house number.',
    'addresses[].type': 'The kind of address, such as `WORK`.',
    'addresses[].zip': 'Postal code.',
    birthday: 'The birthday as `YYYY-MM-DD`.',
    contact_image: 'A picture in base64.',
    emails: 'Email addresses.',
    'emails[].email': 'The email address.',
    'emails[].type': 'The kind of email address, such as `WORK`.',
    ims: 'Instant messaging accounts.',
    'ims[].service': 'The service.',
    'ims[].user_id': 'The id of the user there.',
    name: 'The name of the contact.',
    'name.first_name': 'First name.',
    'name.formatted_name': 'The whole name.',
    'name.last_name': 'Last name.',
    org: 'The organisation of the contact.',
    'org.company': 'Company.',
    phones: 'Phone numbers.',
    'phones[].phone': 'The phone number.',
    'phones[].type': 'The kind of phone number, such as `CELL` or `WORK`.',
    'phones[].wa_id': "The phone number's id on the platform.",
    urls: 'Web pages.',
    'urls[].url': 'The URL.',
    'urls[].type': 'The kind of web page, such as `WORK`.',
  },
  MessageStatus: {
    id: 'Id of the message sent.',
    status: '`sent`, `delivered`, `read` or `failed`; the platform may add others.',
    timestamp: unixSeconds,
    recipient_id: 'Id of the recipient. Absent for people who hide their number.',
    errors: 'Why the message failed; present only if the status is `failed`.',
  },
  NotificationError: {
    code: "The platform's code of the error.",
    title: 'What went wrong.',
    details: 'Details, if the platform has any.',
    href: 'Where the error is documented.',
  },
  Call: {
    ...callCommon,
    call_id: 'On `connect`: the same as `id`, under the name that accept, reject and end take.',
    from: 'Id of the caller.',
    to: 'Id of the person or number called.',
    event: '`connect` when the call comes in or is answered, `terminate` when it has ended.',
    direction: '`USER_INITIATED` or `BUSINESS_INITIATED`.',
    connection: 'On `connect`: the WebRTC connection.',
    'connection.webrtc': 'The WebRTC connection of the other side.',
    'connection.webrtc.sdp': 'SDP of the connection; the same as `session.sdp`.',
    session: 'On `connect`: the session of the call.',
    'session.sdp_type': '`offer` for an incoming call, `answer` for one that you started.',
    'session.sdp': 'SDP of the session.',
    start_time: 'On `terminate`: when the call was picked up, in Unix seconds. Absent if it was not.',
    end_time: 'On `terminate`: when the call ended, in Unix seconds. Absent if it was not picked up.',
    duration: 'On `terminate`: how long the call lasted, in seconds. Absent if it was not picked up.',
    status: 'On `terminate`: `COMPLETED` or `FAILED`.',
    errors: 'Why the call failed, if the platform says so with the event.',
  },
  CallStatus: {
    ...callCommon,
    type: 'Always `call`.',
    status: '`RINGING`, `ACCEPTED` or `REJECTED`.',
    recipient_id: "The contact's id on the platform.",
  },
};
