/** What becomes of a text in a recording. */
export type Treatment =
  /** It stays as it is, if it looks like a word of the platform's vocabulary. */
  | 'keep'
  /** An id or a phone number: another one of the same form, the same wherever it occurs. */
  | 'id'
  | 'phone'
  /** A secret: a text that says so. */
  | 'token'
  /** What people wrote: a text of the same length, the same for the same original. */
  | 'text'
  /** An identifier that the business chose, such as the name of a template: one of the same form. */
  | 'identifier'
  | 'link'
  | 'host'
  | 'emoji'
  | 'sdp'
  | 'public-key'
  | 'hash';

/**
 * The rules of redaction, by the names of members. A rule with a dot is for a member of a member, and wins over a rule
 * for the member alone. **A text that no rule names is replaced as `text`**, or as `id` if its name ends in `_id`, so
 * what the platform invents cannot slip through. These also hold in forms and in queries. Below {@link freeForm} and in
 * JSON inside a text, no text stays, whatever its name.
 */
export const rules: Readonly<Record<Treatment, readonly string[]>> = {
  keep: [
    'account_mode',
    'action',
    'action.name',
    'action_name',
    'action_type',
    'alert_state',
    'call_icon_visibility',
    'callback_permission_status',
    'can_send_message',
    'categories',
    'category',
    'close_time',
    'closed',
    'code_verification_status',
    'country',
    'currency',
    'data_api_version',
    'date',
    'day_of_week',
    'direction',
    'encoding',
    'entity_type',
    'error',
    'error_type',
    'event',
    'field',
    'fields',
    'flow_action',
    'flow_message_version',
    'format',
    'json_version',
    'language',
    'level',
    'limit',
    'messaging_product',
    'messaging_limit_tier',
    'method',
    'mime_type',
    'mode',
    'name_status',
    'new_status',
    'object',
    'old_status',
    'open_time',
    'origin.type',
    'platform_type',
    'policy',
    'pricing_model',
    'pricing_type',
    'product_policy',
    'quality_rating',
    'recipient_type',
    'response',
    'screen',
    'sdp_type',
    'severity',
    'srtp_key_exchange_protocol',
    'status',
    'sub_type',
    'throughput.level',
    'time_period',
    'timestamp',
    'timezone',
    'timezone_id',
    'type',
    'version',
    'webhook_delivery',
    'weekly_operating_hours.day_of_week',
    'asset_type',
    'business_public_key_signature_status',
    'language.code',
    'permission.status',
    'expiration_timestamp',
    'start_time',
    'end_time',
    'creation_time',
    'index',
    'asset.name',
    'period',
    'source',
    'to.type',
    'user_role',
    'conversation.expiration_timestamp',
    'font_type',
    'format_type',
    'response_source',
  ],
  id: [
    'id',
    'ids',
    'account_id',
    'after',
    'application_id',
    'app_id',
    'before',
    'biz_id',
    'business_id',
    'call_id',
    'catalog_id',
    'fbtrace_id',
    'flow_id',
    'flow_token',
    'group_id',
    'image_handle',
    'media_id',
    'message_id',
    'page_id',
    'parent_user_id',
    'phone_number_id',
    'previous_user_id',
    'previous_parent_user_id',
    'product_retailer_id',
    'thread_id',
    'user_id',
    'waba_id',
    'whatsapp_business_account_id',
    'template_id',
    'message_template_id',
    'preview_id',
    'ctwa_clid',
    'source_id',
    'participant_id',
  ],
  phone: [
    'display_phone_number',
    'from',
    'input',
    'participant',
    'phone',
    'phone_number',
    'recipient',
    'recipient_id',
    'to',
    'user_wa_id',
    'wa_id',
    'recipient_participant_id',
    'previous_wa_id',
    'new_wa_id',
  ],
  token: [
    'access_token',
    'app_secret',
    'appsecret_proof',
    'input_token',
    'password',
    'pin',
    'sip_user_password',
    'token',
    'verify_token',
    'hub.verify_token',
    'certificate',
  ],
  identifier: ['template.name', 'name.template', 'namespace', 'parameter_name', 'message_template_name', 'elementName'],
  link: [
    'action_url',
    'callback_url',
    'download_url',
    'endpoint_uri',
    'href',
    'link',
    'next',
    'preview_url.url',
    'previous',
    'source_url',
    'thumbnail_url',
    'url',
    'image_url',
    'video_url',
    'override_callback_uri',
  ],
  host: ['hostname'],
  emoji: ['emoji'],
  sdp: ['sdp'],
  'public-key': ['business_public_key'],
  hash: ['sha256', 'file_sha256', 'plaintext_hash', 'encrypted_hash'],
  // On a contact card and in an order, people chose these words.
  text: ['addresses.country', 'addresses.type', 'beneficiaries.country', 'emails.type', 'phones.type', 'urls.type'],
};

/** Below these members, an author of a Flow or the business chose the names, so no name says what is harmless. */
export const freeForm = ['response_json', 'flow_action_payload', 'flow_action_data', 'request_uri_user_params'];

/** The members of {@link freeForm} whose names are the platform's. */
export const namedByPlatform = ['response_json.flow_token', 'flow_action_payload.screen'];

/** Where numbers say where or when somebody was, or how old. All other numbers below a million stay. */
export const privateNumbers = ['latitude', 'longitude', 'age'];

/** Numbers that stay, whatever their size: times and sizes. */
export const keptNumbers = [
  'code',
  'error_code',
  'error_subcode',
  'timestamp',
  'time',
  'at',
  'expiration',
  'expiration_timestamp',
  'expiration_time',
  'creation_time',
  'start_time',
  'end_time',
  'duration',
  'size',
  'file_size',
  'data_access_expires_at',
  'expires_at',
  'issued_at',
  'call_expiration_timestamp_ms',
  'message_length',
];

/**
 * A Flow JSON stays, so that its checks can be compared: the ids of screens, the names of fields, the types of
 * components, bindings such as `${data.day}`. Texts in these members stay, if they look like words. All others are
 * replaced, also the names of cases.
 */
export const flowJsonWords = [
  'allowed-mime-types',
  'aspect-ratio',
  'data_api_version',
  'font-weight',
  'id',
  'include-days',
  'input-type',
  'label-variant',
  'max-chars',
  'max-length',
  'media-size',
  'min-chars',
  'min-length',
  'mode',
  'name',
  'photo-source',
  'routing_model',
  'scale-type',
  'sensitive',
  'type',
  'version',
];

/** Members of a Flow JSON that hold texts under names that its author chose. All but bindings are replaced there. */
export const flowJsonGroups = ['init-values', 'error-messages', '__example__', 'payload', 'data-source'];

/** A setting of a codec that browsers and the platform write. */
const fmtpParameter = `(?:${[
  ...['minptime', 'maxptime', 'ptime', 'useinbandfec', 'usedtx', 'stereo', 'sprop-stereo', 'cbr', 'apt', 'mode'],
  ...['maxplaybackrate', 'maxaveragebitrate', 'sprop-maxcapturerate', 'max-fr', 'max-fs', 'profile-id'],
  ...['level-asymmetry-allowed', 'packetization-mode', 'profile-level-id', 'level-idx', 'profile', 'tier'],
].join('|')})=[\\da-f]{1,8}`;

/** The extensions of RTP headers that browsers offer. */
const headerExtensions = [
  'urn:ietf:params:rtp-hdrext:(?:ssrc-audio-level|csrc-audio-level|toffset|sdes:mid|sdes:rtp-stream-id)',
  'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  'urn:3gpp:video-orientation',
  'http://www\\.webrtc\\.org/experiments/rtp-hdrext/(?:abs-send-time|abs-capture-time|playout-delay|color-space)',
  'http://www\\.webrtc\\.org/experiments/rtp-hdrext/(?:video-content-type|video-timing)',
  'http://www\\.ietf\\.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
];

/**
 * The lines of an SDP that stay, by the names of their attributes, each with the form of its value. Of a value of
 * another form, and of all other attributes, nothing stays.
 */
export const sdpAttributes: Readonly<Record<string, RegExp>> = {
  'end-of-candidates': /^$/,
  extmap: new RegExp(`^\\d{1,3}(?:/[a-z]{8})? (?:${headerExtensions.join('|')})$`),
  'extmap-allow-mixed': /^$/,
  fmtp: new RegExp(`^\\d{1,3} (?:[\\d/-]{1,20}|${fmtpParameter}(?:; ?${fmtpParameter})*)$`),
  group: /^BUNDLE(?: (?:\d{1,2}|audio|video))*$/,
  'ice-lite': /^$/,
  'ice-options': /^(?:trickle|ice2|renomination)(?: (?:trickle|ice2|renomination))*$/,
  inactive: /^$/,
  maxptime: /^\d{1,4}$/,
  mid: /^(?:\d{1,2}|audio|video)$/,
  ptime: /^\d{1,4}$/,
  recvonly: /^$/,
  'rtcp-fb': /^(?:\d{1,3}|\*) (?:nack|nack pli|ccm fir|goog-remb|transport-cc|rrtr)$/,
  'rtcp-mux': /^$/,
  'rtcp-rsize': /^$/,
  rtpmap:
    /^\d{1,3} (?:opus|red|rtx|ISAC|G722|PCMU|PCMA|CN|telephone-event|ulpfec|flexfec-03|VP8|VP9|H264|AV1)\/\d{1,6}(?:\/\d)?$/i,
  sendonly: /^$/,
  sendrecv: /^$/,
  setup: /^(?:active|passive|actpass|holdconn)$/,
};
