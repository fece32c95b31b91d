import type { GraphErrorEntry } from './graph-error-entry.ts';

const rejected = { type: 'OAuthException', status: 400, explainedIn: 'error_data' } as const;
const tooFast = { ...rejected, status: 429 } as const;

/**
 * Graph's errors for messages, in responses and in `failed` statuses. Codes are from Meta's page "Error codes". Its
 * editions disagree about the statuses of the rate limits: 400 or 429.
 */
export const sendingErrors = {
  message_not_sent: {
    ...rejected,
    status: 500,
    code: 131000,
    title: 'Something went wrong',
    explanation: 'The message was not sent because of an unknown error.',
  },
  sending_access_denied: {
    ...rejected,
    status: 403,
    code: 131005,
    title: 'Access denied',
    explanation: 'The permission to send messages is missing.',
  },
  message_parameter_missing: {
    ...rejected,
    code: 131008,
    title: 'Required parameter is missing',
    explanation: 'A parameter is missing.',
  },
  message_parameter_invalid: {
    ...rejected,
    code: 131009,
    title: 'Parameter value is not valid',
    explanation: 'The value of a parameter is not valid.',
  },
  service_unavailable: {
    ...rejected,
    status: 503,
    code: 131016,
    title: 'Service unavailable',
    explanation: 'A service is temporarily unavailable.',
    transient: true,
  },
  recipient_is_sender: {
    ...rejected,
    code: 131021,
    title: 'Recipient cannot be sender',
    explanation: 'Sender and recipient are the same phone number.',
  },
  group_invalid: {
    ...rejected,
    code: 131020,
    title: 'Invalid group',
    explanation: 'Messages cannot be sent to groups that have only one member.',
  },
  group_unknown: {
    ...rejected,
    code: 131041,
    title: 'Group unknown',
    explanation: 'The group does not exist, or the business is not a member.',
  },
  message_undeliverable: {
    ...rejected,
    code: 131026,
    title: 'Message undeliverable',
    explanation: 'The recipient is not on WhatsApp, has not accepted its terms, or uses an old version of it.',
  },
  account_locked: {
    ...rejected,
    status: 403,
    code: 131031,
    title: 'Account has been locked',
    explanation: 'The account was restricted or disabled for violating a policy.',
  },
  display_name_not_approved: {
    ...rejected,
    code: 131037,
    title: 'Display name needs approval',
    explanation: 'The display name of the phone number has not been approved.',
  },
  sending_payment_issue: {
    ...rejected,
    code: 131042,
    title: 'Business eligibility payment issue',
    explanation: 'The account has no valid way of payment.',
  },
  sender_not_registered: {
    ...rejected,
    code: 133010,
    title: 'Phone number not registered',
    explanation: 'The phone number is not registered on the platform.',
  },
  window_closed: {
    ...rejected,
    code: 131047,
    title: 'Re-engagement message',
    explanation: 'More than 24 hours have passed since the recipient last wrote. Send a template.',
  },
  spam_limit: {
    ...tooFast,
    code: 131048,
    title: 'Spam rate limit hit',
    explanation: 'Too many earlier messages of the phone number were blocked or reported as spam.',
  },
  kept_for_engagement: {
    ...rejected,
    code: 131049,
    title: 'Message not delivered to maintain healthy ecosystem engagement',
    explanation: 'The recipient has had enough marketing messages for now.',
  },
  recipient_stopped_marketing: {
    ...rejected,
    code: 131050,
    title: 'User has stopped receiving marketing messages',
    explanation: 'The recipient does not want marketing messages from this business.',
  },
  message_type_unsupported: {
    ...rejected,
    code: 131051,
    title: 'Unsupported message type',
    explanation: 'The type of the message is not supported.',
  },
  media_not_downloaded: {
    ...rejected,
    code: 131052,
    title: 'Media download error',
    explanation: 'The media that the contact sent could not be downloaded.',
  },
  media_not_uploaded: {
    ...rejected,
    code: 131053,
    title: 'Media upload error',
    explanation: 'The media of the message could not be uploaded.',
  },
  pair_rate_limit: {
    ...tooFast,
    code: 131056,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    explanation: 'Too many messages were sent to the same recipient in a short time.',
  },
  account_in_maintenance: {
    ...rejected,
    status: 500,
    code: 131057,
    title: 'Account in maintenance mode',
    explanation: 'The account is being moved to another throughput.',
    transient: true,
  },
  user_id_not_supported: {
    ...rejected,
    code: 131062,
    title: 'Business-scoped user id not supported',
    explanation: 'Templates with one-tap, zero-tap and copy-code buttons need a phone number.',
  },
  marketing_switched_off: {
    ...rejected,
    code: 131063,
    title: 'Marketing messages on Cloud API disabled',
    explanation: 'Marketing templates cannot be sent with /messages. Send them with /marketing_messages.',
  },
  marketing_only: {
    ...rejected,
    code: 134100,
    title: 'Only marketing messages supported',
    explanation: 'The template does not have the category MARKETING.',
  },
  direct_send_blocked: {
    ...rejected,
    code: 139200,
    title: 'Direct Send is blocked',
    explanation: 'The account may not send messages with a category, because earlier ones did not fit theirs.',
  },
  throughput_limit: {
    ...tooFast,
    code: 130429,
    title: 'Rate limit hit',
    explanation: 'The phone number sends messages faster than it may.',
  },
  recipient_in_experiment: {
    ...rejected,
    code: 130472,
    title: "User's number is part of an experiment",
    explanation: 'The recipient gets no marketing messages, as part of an experiment.',
  },
  country_restricted: {
    ...rejected,
    status: 403,
    code: 130497,
    title: 'Business account is restricted from messaging users in this country',
    explanation: 'The account may not send messages to this country.',
  },
  template_parameters_mismatch: {
    ...rejected,
    code: 132000,
    title: 'Template param count mismatch',
    explanation: 'The message has another number of parameters than the template.',
  },
  template_missing: {
    ...rejected,
    status: 404,
    code: 132001,
    title: 'Template does not exist',
    explanation: 'There is no approved template with this name in this language.',
  },
  template_text_too_long: {
    ...rejected,
    code: 132005,
    title: 'Template hydrated text too long',
    explanation: 'The text of the template is too long once its parameters are filled in.',
  },
  template_policy_violated: {
    ...rejected,
    code: 132007,
    title: 'Template format character policy violated',
    explanation: 'The content of the template violates a policy.',
  },
  template_parameter_format: {
    ...rejected,
    code: 132012,
    title: 'Template parameter format mismatch',
    explanation: 'A parameter of the template has the wrong format.',
  },
  template_parameters_invalid: {
    ...rejected,
    code: 132018,
    title: "There's an issue with the parameters in your template",
    explanation: 'The parameters do not fit the components of the template.',
  },
  template_paused: {
    ...rejected,
    code: 132015,
    title: 'Template is paused',
    explanation: 'The template is paused because of its quality.',
  },
  template_disabled: {
    ...rejected,
    code: 132016,
    title: 'Template is disabled',
    explanation: 'The template was paused too often and is disabled for good.',
  },
  flow_blocked: {
    ...rejected,
    code: 132068,
    title: 'Flow is blocked',
    explanation: 'The Flow is blocked and cannot be sent.',
  },
  flow_throttled: {
    ...rejected,
    code: 132069,
    title: 'Flow is throttled',
    explanation: 'The Flow is throttled and was sent as often as it may be in an hour.',
  },
} as const satisfies Record<string, GraphErrorEntry>;

/** An error with this code as it stands in webhooks. Codes that are not in the table get a general title. */
export function webhookError(code: number) {
  const sendingError: GraphErrorEntry | undefined = Object.values(sendingErrors).find((entry) => entry.code === code);
  const { title = 'Message not sent', explanation } = sendingError ?? { explanation: 'The message was not sent.' };
  return {
    code,
    title,
    message: title,
    error_data: { details: explanation },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}
