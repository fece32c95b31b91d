/** One of Graph's errors. */
interface GraphErrorEntry {
  readonly status: number;
  readonly type: 'OAuthException' | 'GraphMethodException';
  readonly code: number;
  readonly subcode?: number;
  /** Errors without an explanation say everything in `message`. */
  readonly title?: string;
  readonly explanation: string;
  /** Flows explain errors in `error_user_title` and `error_user_msg`, other parts of the Cloud API in `error_data`. */
  readonly explainedIn?: 'error_data';
  readonly transient?: boolean;
}

const rejected = { status: 400, type: 'OAuthException' } as const;

const plain = (code: number, explanation: string) => ({ ...rejected, code, explanation });

/** An error of Flows. */
const ofFlow = (code: number, title: string, explanation: string) => ({ ...rejected, code, title, explanation });

/** An error of messages, calls and registration. */
const detailed = (code: number, title: string, explanation: string) =>
  ({ ...rejected, code, title, explanation, explainedIn: 'error_data' }) as const;

/**
 * The errors that the simulated platform responds with by itself. Source: Meta's pages "Error codes" of the Graph API,
 * the Cloud API and Flows, and "Troubleshoot WhatsApp Calling Errors".
 */
const graphErrors = {
  unknown_error: { ...plain(1, 'An unknown error occurred'), status: 500, transient: true },
  unknown_path: plain(2500, 'Unknown path components'),
  invalid_parameter: plain(100, 'Invalid parameter'),
  body_too_large: { ...plain(100, 'The request is too large'), status: 413 },
  object_missing: {
    ...plain(100, 'Unsupported request: the object does not exist or is not accessible with this access token'),
    type: 'GraphMethodException',
    subcode: 33,
  },
  media_url_expired: { ...plain(100, 'The URL of the media is not valid any more'), status: 404 },

  access_token_invalid: { ...plain(190, 'The access token is missing or not valid'), status: 401 },
  access_token_revoked: {
    ...plain(190, 'Error validating access token: the session was invalidated, for the password was changed'),
    status: 401,
    subcode: 460,
  },
  access_token_expired: {
    ...plain(190, 'Error validating access token: the session has expired'),
    status: 401,
    subcode: 463,
  },
  app_token_required: plain(15, 'This method must be called with an app access_token'),
  permission_missing: { ...plain(10, 'Application does not have permission for this action'), status: 403 },
  permission_denied: { ...plain(200, 'You do not have the permissions that this object needs'), status: 403 },
  app_request_limit: { ...plain(4, 'Application request limit reached'), status: 429, transient: true },
  callback_not_verified: plain(2200, 'Callback verification failed'),
  pin_mismatch: detailed(
    133005,
    'Two step verification PIN Mismatch',
    'The PIN is not the one of the two-step verification.',
  ),
  number_not_verified: detailed(
    133006,
    'Phone number re-verification needed',
    'The phone number has to be verified before it can be registered.',
  ),
  sender_not_registered: detailed(
    133010,
    'Phone number not registered',
    'The phone number is not registered on the platform.',
  ),

  flow_name_not_unique: {
    ...ofFlow(100, 'Flow name is not unique', 'Another Flow of this WhatsApp Business Account has the same name.'),
    subcode: 4016019,
  },
  endpoint_uri_invalid: ofFlow(100, 'Invalid Endpoint URI', 'The endpoint URI has to be an https URL.'),
  flow_not_editable: ofFlow(139001, "Flow can't be updated", 'A Flow in this state cannot be changed.'),
  publish_in_invalid_state: ofFlow(139002, 'Publishing Flow in invalid state', 'Only a draft can be published.'),
  publish_with_validation_errors: ofFlow(
    139002,
    'Publishing Flow with validation errors',
    'Correct the errors of the Flow JSON, then publish.',
  ),
  publish_version_not_available: ofFlow(
    139002,
    'Versions in Flow JSON are not available for publishing',
    'The version of the Flow JSON is frozen: move to a newer one.',
  ),
  publish_without_endpoint_uri: ofFlow(
    139002,
    'Publishing without specifying endpoint_uri is forbidden',
    'A Flow with a data_api_version needs an endpoint_uri.',
  ),
  publish_without_phone_number: ofFlow(
    139002,
    'No Phone Number connected',
    'The WhatsApp Business Account has no phone number.',
  ),
  publish_without_public_key: ofFlow(
    139002,
    'Missing Flows Signed Public Key',
    'A Flow with an endpoint needs a public key at the phone number.',
  ),
  publish_endpoint_unavailable: ofFlow(
    139002,
    'Endpoint Not Available',
    'The endpoint of the Flow did not pass the health check.',
  ),
  deprecate_unpublished: ofFlow(139003, "Can't deprecate unpublished flow", 'A draft is deleted, not deprecated.'),
  already_deprecated: ofFlow(139003, 'Flow is already deprecated', 'Nothing is left to do.'),
  delete_published: ofFlow(
    139004,
    "Can't delete published Flow",
    'A Flow that is not a draft is deprecated, not deleted.',
  ),

  message_parameter_missing: detailed(131008, 'Required parameter is missing', 'A parameter is missing.'),
  message_parameter_invalid: detailed(131009, 'Parameter value is not valid', 'The value of a parameter is not valid.'),
  recipient_is_sender: detailed(
    131021,
    'Recipient cannot be sender',
    'Sender and recipient are the same phone number.',
  ),
  message_undeliverable: detailed(
    131026,
    'Message undeliverable',
    'The recipient is not on WhatsApp, has not accepted its terms, or uses an old version of it.',
  ),
  account_locked: {
    ...detailed(131031, 'Account has been locked', 'The account was restricted or disabled for violating a policy.'),
    status: 403,
  },
  sending_payment_issue: detailed(
    131042,
    'Business eligibility payment issue',
    'The account has no valid way of payment.',
  ),
  window_closed: detailed(
    131047,
    'Re-engagement message',
    'More than 24 hours have passed since the recipient last wrote. Send a template.',
  ),
  spam_limit: {
    ...detailed(
      131048,
      'Spam rate limit hit',
      'Too many earlier messages of the phone number were blocked or reported as spam.',
    ),
    status: 429,
  },
  message_type_unsupported: detailed(131051, 'Unsupported message type', 'The type of the message is not supported.'),
  media_not_uploaded: detailed(131053, 'Media upload error', 'The media of the message could not be uploaded.'),
  template_parameters_mismatch: detailed(
    132000,
    'Template param count mismatch',
    'The message has another number of parameters than the template.',
  ),
  template_missing: {
    ...detailed(132001, 'Template does not exist', 'There is no approved template with this name in this language.'),
    status: 404,
  },
  template_parameter_format: detailed(
    132012,
    'Template parameter format mismatch',
    'A parameter of the template has the wrong format.',
  ),
  template_parameters_invalid: detailed(
    132018,
    "There's an issue with the parameters in your template",
    'The parameters do not fit the components of the template.',
  ),
  flow_blocked: detailed(132068, 'Flow is blocked', 'The Flow is blocked and cannot be sent.'),

  calling_not_enabled: {
    ...detailed(138000, 'Calling not enabled', 'Calling is not enabled for this phone number.'),
    status: 401,
  },
  duplicate_call: detailed(138003, 'Duplicate call', 'There is a call with this user already.'),
  call_permission_missing: {
    ...detailed(
      138006,
      'No approved call permission',
      'The user has not permitted calls, or the permission has expired.',
    ),
    status: 401,
  },
  permission_request_limit: detailed(
    138009,
    'Call permission request limit hit',
    'The user has been asked for permission as often as is allowed.',
  ),
  business_call_limit: detailed(
    138012,
    'Business-initiated calls limit hit',
    'The user has been called as often as is allowed in 24 hours.',
  ),
  calling_temporarily_disabled: detailed(
    138014,
    'Calling is temporarily disabled',
    'Calling was disabled for this phone number for a while, for users gave negative feedback.',
  ),
  permission_already_permanent: detailed(
    138017,
    'Permanent call permission exists',
    'The user has permitted calls for good and need not be asked.',
  ),
  payment_issue: detailed(131044, 'Business eligibility payment issue', 'The account has no valid way of payment.'),
  calling_over_sip: detailed(
    131055,
    'Method not allowed',
    'The phone number takes calls over SIP, so Graph cannot be used for them.',
  ),
  call_unknown: detailed(100, 'Invalid parameter', 'The phone number has no call with this call_id.'),
  call_state_invalid: detailed(100, 'Invalid parameter', 'The action is not possible in the state of the call.'),
} as const satisfies Record<string, GraphErrorEntry>;

export type GraphErrorName = keyof typeof graphErrors;

/** The `error` member of a Graph response. */
export interface GraphErrorBody {
  readonly message: string;
  readonly type: string;
  readonly code: number;
  readonly error_subcode?: number;
  readonly is_transient: boolean;
  readonly error_user_title?: string;
  readonly error_user_msg?: string;
  readonly error_data?: { readonly messaging_product: 'whatsapp'; readonly details: string };
}

/** An error response. `reason` names the entry in the table, `explanation` replaces its text. */
export class GraphError extends Error {
  readonly reason: GraphErrorName;
  readonly status: number;
  readonly body: GraphErrorBody;

  constructor(reason: GraphErrorName, explanation?: string) {
    const entry: GraphErrorEntry = graphErrors[reason];
    const text = explanation ?? entry.explanation;
    super(text);
    this.reason = reason;
    this.status = entry.status;
    this.body = {
      message: messageOf(entry, text),
      type: entry.type,
      code: entry.code,
      ...(entry.subcode !== undefined && { error_subcode: entry.subcode }),
      is_transient: entry.transient ?? false,
      ...explanationOf(entry, text),
    };
  }
}

function explanationOf({ title, explainedIn }: GraphErrorEntry, text: string): Partial<GraphErrorBody> {
  if (explainedIn === 'error_data') return { error_data: { messaging_product: 'whatsapp', details: text } };
  return title === undefined ? {} : { error_user_title: title, error_user_msg: text };
}

/** With code 100, Graph's `message` is only "Invalid parameter". The explanation is in `error_user_msg`. */
function messageOf({ code, title, explainedIn }: GraphErrorEntry, text: string): string {
  if (code === 100 && title !== undefined && explainedIn === undefined) return 'Invalid parameter';
  return `(#${code}) ${title ?? text}`;
}

/** An error with this code as it stands in webhooks. Codes that are not in the table get a general title. */
export function webhookError(code: number) {
  const entry: GraphErrorEntry | undefined = Object.values(graphErrors).find((one) => one.code === code);
  const { title = 'Message not sent', explanation } = entry ?? { explanation: 'The message was not sent.' };
  return {
    code,
    title,
    message: title,
    error_data: { details: explanation },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}
