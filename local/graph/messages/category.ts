import { GraphError } from '../core/graph-errors.ts';
import { type Params, stringParam } from '../http/params.ts';
import type { MessageContent, Recipient } from './bodies/params.ts';
import type { SendingSettings } from './settings.ts';
import type { Templates } from './templates.ts';

/** What Graph writes into `pricing.category`. */
export type BilledCategory = 'utility' | 'authentication' | 'marketing' | 'marketing_lite';

const billedAs = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' } as const;

/** What the types of interactive messages are that may have a category. */
const directInteractive = ['button', 'cta_url', 'voice_call'];

/**
 * The category of a message that is sent without a template outside the window (Meta's page "Direct Send", July 2026).
 * Null if the message has none. A template with a category is sent like any other.
 */
export function directCategory(
  params: Params,
  { type, content }: MessageContent,
  recipient: Recipient,
  { direct_send }: SendingSettings,
): BilledCategory | null {
  const category = stringParam(params, 'category');
  if (category === undefined || type === 'template') return null;
  if (category !== 'utility' && category !== 'authentication') {
    throw invalid(`Param category must be one of {UTILITY, AUTHENTICATION} - got ${JSON.stringify(category)}`);
  }
  if (direct_send === 'not_enabled') throw invalid("Direct Send isn't enabled for this account.");
  if (direct_send === 'blocked') throw new GraphError('direct_send_blocked');
  if (recipient.type === 'group') throw invalid('A message with a category cannot be sent to a group.');
  if (category === 'authentication' && !params.has('to')) {
    throw new GraphError('user_id_not_supported', 'A message of the category authentication needs a phone number.');
  }
  const isDirect = type === 'text' || (type === 'interactive' && directInteractive.includes(Object(content).type));
  if (!isDirect)
    throw invalid('A message with a category must be a text, or have reply buttons, a URL or a call button.');
  return category;
}

/** What a template is billed as that is sent as an ordinary message. Throws 131063 if it may not be. */
export function ordinaryCategory(
  { content }: MessageContent,
  templates: Templates,
  { marketing_by_messages }: SendingSettings,
): BilledCategory | null {
  const category = templates.of(content)?.category;
  if (category === 'MARKETING' && !marketing_by_messages) throw new GraphError('marketing_switched_off');
  return category === undefined ? null : billedAs[category];
}

/**
 * What a message is billed as that is sent with `/marketing_messages` (Meta's pages "Send Marketing Messages" and its
 * reference): a template of the category marketing, to one person. A template that was not declared counts as one.
 */
export function marketingCategory(
  params: Params,
  { type, content }: MessageContent,
  templates: Templates,
  { marketing_messages, marketing_by_messages }: SendingSettings,
): BilledCategory {
  if (stringParam(params, 'recipient_type') !== 'individual') throw invalid('Param recipient_type must be individual');
  if (type !== 'template') throw invalid('Message must be a template message.');
  const policy = stringParam(params, 'product_policy') ?? 'CLOUD_API_FALLBACK';
  if (!['CLOUD_API_FALLBACK', 'STRICT'].includes(policy)) {
    throw invalid(`Param product_policy must be one of {CLOUD_API_FALLBACK, STRICT} - got ${JSON.stringify(policy)}`);
  }
  const sharing = params.get('message_activity_sharing');
  if (sharing !== undefined && typeof sharing !== 'boolean')
    throw invalid('Param message_activity_sharing must be a boolean');
  if ((templates.of(content)?.category ?? 'MARKETING') !== 'MARKETING') throw new GraphError('marketing_only');
  if (marketing_messages === 'onboarded') return 'marketing_lite';
  if (policy === 'STRICT') throw invalid('The account has not accepted the terms of the Marketing Messages API.');
  if (!marketing_by_messages) throw new GraphError('marketing_switched_off');
  return 'marketing';
}

function invalid(text: string): GraphError {
  return new GraphError('invalid_parameter', text);
}
