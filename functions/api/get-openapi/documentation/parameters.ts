/** Descriptions of the parameters, by name; `operationId.name` where a name means something else in one operation. */
export const parameterDescriptions: Readonly<Record<string, string>> = {
  workspace: 'Id of the workspace.',
  flow: 'Id of the Flow.',
  preview: 'Id of the preview.',
  number: 'Id of an active number in a workspace of the user.',
  delivery: 'Id of the delivery: the `webhook-id` of its notification.',
  id: 'Id of the media object in the notification of the message.',
  upload: 'Id of the upload.',
  'deleteMedia.id': 'Id of the file, uploaded or received.',
  file: 'Name of the file, as the page requests it.',
  limit: 'The number of items on a page: 1 to 100, 100 by default.',
  cursor: 'Where the page starts: `meta.next_cursor` or `meta.prev_cursor` of another page of the same list.',
  'listNumbers.workspace': 'Only numbers of this workspace.',
  'listFlows.status':
    'Only Flows with this status: 0 `UNKNOWN`, 1 `DRAFT`, 2 `PUBLISHED`, 3 `DEPRECATED`, 4 `BLOCKED`, 5 `THROTTLED`.',
  json: '`false` leaves out the JSON of each Flow; `true` by default.',
  state:
    'Only deliveries in this state. `sending`: an attempt is in progress. `delivered`: the receiver responded with 200. `waiting`: the last attempt failed and another follows. `held`: the target is failing, and the delivery is sent when it recovers. `exhausted`: every attempt failed. `discarded`: the URL of the target was removed, or the number was switched off.',
  target: 'Only deliveries to this target.',
  'getWebhookTarget.target': 'The target: `webhook`, `secondary_webhook` or `calls_webhook`.',
  'updateWebhookTarget.target': 'The target: `webhook`, `secondary_webhook` or `calls_webhook`.',
  'getWorkspaceWebhookTarget.target': 'The target, always `webhook`.',
  'updateWorkspaceWebhookTarget.target': 'The target, always `webhook`.',
  since: 'Only deliveries created at this time or later: ISO 8601 with a time zone.',
  until: 'Only deliveries created before this time: ISO 8601 with a time zone.',
  user_wa_id: "The contact's id on the platform, digits only. Required without `recipient`.",
  recipient: 'The user id of a contact whose phone number is unknown, instead of `user_wa_id`.',
  'Idempotency-Key':
    'A text that is new for each new request, such as a UUID: 1 to 255 characters of visible ASCII. For 24 hours, a further request with the key and the same body does nothing and gets the response of the first one (docs/sending.md).',
  'hub.mode': 'Always `subscribe`.',
  'hub.verify_token': 'The verify token of the service.',
  'hub.challenge': 'The text to return.',
};

const header = (name: string, description: string, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const hubSignature = header(
  'X-Hub-Signature-256',
  '`sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the app secret.',
  true,
);

/** Request headers that operations read, by operation. */
export const headerParameters: Readonly<Record<string, readonly object[]>> = {
  receiveEvents: [hubSignature],
  exchangeFlowData: [hubSignature],
  getMedia: [
    header('Range', 'One range of bytes, such as `bytes=0-1023`.'),
    header('If-Range', 'An entity tag: `Range` applies only if the file still has it.'),
    header('If-None-Match', 'Entity tags: the response is a `304` if the file has one of them.'),
  ],
};
