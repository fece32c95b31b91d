import * as z from 'zod/mini';
import { type ContactId, isUserId, ownWaId, phoneDigits } from '../../core/contacts.ts';
import { GraphError } from '../../core/graph-errors.ts';
import { type Params, stringParam } from '../../http/params.ts';
import { assertFits, fits, outside } from './fields.ts';
import { interactiveSchemaOf } from './interactive-schemas.ts';
import { type MessageType, messageSchemas, messageTypes } from './message-schemas.ts';

/** A recipient as Graph understands it. */
export interface Recipient {
  /** What the request said. */
  readonly input: string;
  readonly type: 'individual' | 'group';
  /** Undefined for a user id in `to`: Graph accepts such a message and drops it. */
  readonly contact: ContactId | undefined;
}

/** What a message says, without its recipient. */
export interface MessageContent {
  readonly type: MessageType;
  readonly content: unknown;
  readonly context: unknown;
  readonly biz_opaque_callback_data: string | null;
}

/** How the platform reads a phone number. */
export interface Numbering {
  /** The calling code that it puts before a phone number without a plus sign, if any. */
  readonly prepended_calling_code: string | null;
  /** Whether the id of a person is the phone number as sent, or the platform's own form of it. */
  readonly wa_ids: 'as_sent' | 'own';
}

/** `to` takes precedence if both are given. */
export function readRecipient(params: Params, numbering: Numbering): Recipient {
  const type = stringParam(params, 'recipient_type') ?? 'individual';
  if (type !== 'individual' && type !== 'group') throw invalid('recipient_type has to be individual or group');
  const to = stringParam(params, 'to');
  const recipient = stringParam(params, 'recipient');
  if (to !== undefined) return { input: to, type, contact: contactIn(to, type, numbering) };
  if (recipient === undefined) throw new GraphError('invalid_parameter', 'The parameter to is required');
  if (!isUserId(recipient)) throw invalid('recipient has to be a business-scoped user id');
  return { input: recipient, type: 'individual', contact: recipient };
}

function contactIn(to: string, type: Recipient['type'], numbering: Numbering): ContactId | undefined {
  const { prepended_calling_code: prepended, wa_ids } = numbering;
  if (type === 'group') {
    if (phoneDigits(to) !== undefined) throw invalid('to has to be the id of a group, as recipient_type says');
    return to;
  }
  if (isUserId(to)) return undefined;
  const digits = phoneDigits(to);
  if (digits === undefined) throw invalid('to has to be a phone number');
  const contact = prepended === null || to.includes('+') ? digits : `${prepended}${digits}`;
  return wa_ids === 'own' ? ownWaId(contact) : contact;
}

/** Only messages that are sent without a template may say how long they are worth delivering. */
function assertTimeToLive(params: Params, type: MessageType): void {
  const seconds = params.get('ttl_seconds');
  if (seconds === undefined) return;
  const category = stringParam(params, 'category');
  const isDirect = type !== 'template' && (category === 'utility' || category === 'authentication');
  if (!isDirect) {
    const text = 'The request included one or more unsupported or misspelled parameters: ttl_seconds';
    throw new GraphError('invalid_parameter', text);
  }
  const limit = `${category}Seconds` as const;
  if (Number.isInteger(seconds) && fits(limit, Number(seconds))) return;
  throw new GraphError('invalid_parameter', `Param ttl_seconds ${outside(limit)}, as a number.`);
}

export function readContent(params: Params): MessageContent {
  const name = stringParam(params, 'type') ?? 'text';
  const type = messageTypes.find((one) => one === name);
  if (type === undefined) {
    throw new GraphError('invalid_parameter', `Param type must be one of {${messageTypes.join(', ')}} - got "${name}"`);
  }
  assertTimeToLive(params, type);
  const content = params.get(type);
  const context = params.get('context') ?? null;
  assertFits(messageSchemas[type], content, type);
  if (type === 'interactive') assertFits(interactiveSchemaOf(content), content, type);
  if (context !== null) assertFits(contextSchema, context, 'context');
  return { type, content, context, biz_opaque_callback_data: callbackData(params) };
}

const contextSchema = z.looseObject({ message_id: z.string() });

/** Groups take texts, media and templates; only groups have pinned messages. */
export function assertForRecipient({ type: recipientType }: Recipient, { type }: MessageContent): void {
  const forGroup = recipientType === 'group';
  if (forGroup ? type !== 'interactive' : type !== 'pin') return;
  const whom = forGroup ? 'groups' : 'individuals';
  throw new GraphError('message_type_unsupported', `Messages of the type ${type} cannot be sent to ${whom}.`);
}

function callbackData(params: Params): string | null {
  const data = stringParam(params, 'biz_opaque_callback_data') ?? null;
  if (data !== null && !fits('callbackData', [...data].length)) {
    throw invalid(`biz_opaque_callback_data ${outside('callbackData')}`);
  }
  return data;
}

function invalid(what: string): GraphError {
  return new GraphError('message_parameter_invalid', `${what}.`);
}
