import { fileTypes } from '#shared/media/media-limits.ts';
import { contentOf, type Json, object, text } from './schemas.ts';

/** A message that a contact sends, in the upstream's event and in the notification of it. */
export const incomingMessage = {
  contacts: [{ profile: { name: 'Ana' }, wa_id: '15550100999' }],
  messages: [
    {
      from: '15550100999',
      id: 'wamid.HBgLMTU1NTAxMDA5OTk',
      timestamp: '1795000000',
      type: 'text',
      text: { body: 'Hello' },
    },
  ],
};

/** The shortest SDP with which a voice call connects. */
export const sdpOf = (type: 'offer' | 'answer') =>
  [
    'v=0',
    'o=- 7669997803033704573 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 126',
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:F7gI',
    'a=ice-pwd:x9cmlYzichV2XlhiMu8gaBcD',
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    `a=setup:${type === 'offer' ? 'actpass' : 'active'}`,
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:126 telephone-event/8000',
    '',
  ].join('\r\n');

export const header = (name: string, description: string, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

export const jsonBody = (schema: Json, example: unknown) => ({
  required: true,
  content: { 'application/json': { schema, example } },
});

const file = { type: 'string', format: 'binary', description: 'The file.' };

const change = object(['field', 'value'], {
  field: 'The kind of event, such as `messages`, `calls` or `flows`.',
  value: { type: 'object', description: 'The event. Its members depend on `field`.' },
});

const entry = object(['id', 'changes'], {
  id: 'Id of the business account.',
  time: { type: 'integer', description: 'When the messaging platform sent the entry, in Unix seconds.' },
  changes: { type: 'array', description: 'The events.', items: change },
});

const value = {
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550100001', phone_number_id: '200000000000001' },
  ...incomingMessage,
};

/** Request bodies of the operations that read their raw body, where no contract has a schema. */
export const requestBodies: Readonly<Record<string, object>> = {
  unlockPreview: {
    required: true,
    content: contentOf(
      object(['secret'], { secret: text('The six digits of the preview.', { pattern: '^\\d{6}$' }) }),
      { secret: '123456' },
      'application/x-www-form-urlencoded',
    ),
  },
  uploadMedia: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { ...object(['file'], { file }), additionalProperties: false },
        encoding: { file: { contentType: fileTypes.join(', ') } },
        example: { file: 'Hello.' },
      },
      '*/*': { schema: file },
    },
  },
  receiveEvents: jsonBody(
    object(['object', 'entry'], {
      object: 'Always `whatsapp_business_account`.',
      entry: { type: 'array', description: 'One entry for each business account.', items: entry },
    }),
    {
      object: 'whatsapp_business_account',
      entry: [{ id: '100000000000001', time: 1795000000, changes: [{ field: 'messages', value }] }],
    },
  ),
  exchangeFlowData: jsonBody(
    object(['encrypted_flow_data', 'encrypted_aes_key', 'initial_vector'], {
      encrypted_flow_data: 'The encrypted request, in base64.',
      encrypted_aes_key: 'The AES key of the request, encrypted with the public key, in base64.',
      initial_vector: 'The initialisation vector of the request, in base64.',
    }),
    {
      encrypted_flow_data: 'qSu3bD6zXBGqQ5CvUfkSEk0Y2mTzTqTO',
      encrypted_aes_key: 'k1Zt6sBHzwZQ0dC2PrVHpA==',
      initial_vector: '/uB0YJmcRBTaYWHCjK4qWw==',
    },
  ),
};

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
