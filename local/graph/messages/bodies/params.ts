import * as z from 'zod/mini';
import { isObject, parseJson } from '#shared/base/json.ts';
import { type ContactId, isUserId, phoneDigits } from '../../core/contacts.ts';
import { GraphError } from '../../http/graph-errors.ts';
import { type Params, stringParam } from '../../http/params.ts';
import { readAs, text } from '../../http/read-as.ts';
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

/** `to` takes precedence if both are given. */
export function readRecipient(params: Params): Recipient {
  const type = stringParam(params, 'recipient_type') ?? 'individual';
  if (type !== 'individual' && type !== 'group') throw invalid('recipient_type has to be individual or group');
  const to = stringParam(params, 'to');
  const recipient = stringParam(params, 'recipient');
  if (to !== undefined) return { input: to, type, contact: contactIn(to, type) };
  if (recipient === undefined) throw new GraphError('invalid_parameter', 'The parameter to is required');
  if (!isUserId(recipient)) throw invalid('recipient has to be a business-scoped user id');
  return { input: recipient, type: 'individual', contact: recipient };
}

function contactIn(to: string, type: Recipient['type']): ContactId | undefined {
  const digits = phoneDigits(to);
  if (type === 'group') {
    if (digits !== undefined) throw invalid('to has to be the id of a group, as recipient_type says');
    return to;
  }
  if (isUserId(to)) return undefined;
  if (digits === undefined) throw invalid('to has to be a phone number');
  return digits;
}

const contextSchema = z.looseObject({ message_id: z.string() });
const callbackDataSchema = z.optional(text(512));

export function readContent(params: Params): MessageContent {
  const name = stringParam(params, 'type') ?? 'text';
  const type = messageTypes.find((one) => one === name);
  if (type === undefined) {
    throw new GraphError('invalid_parameter', `Param type must be one of {${messageTypes.join(', ')}} - got "${name}"`);
  }
  const content = asGraphReads(unwrapped(params.get(type)));
  const context = params.get('context') ?? null;
  readAs(messageSchemas[type], content, type);
  if (type === 'interactive') readAs(interactiveSchemaOf(content), content, type);
  if (context !== null) readAs(contextSchema, context, 'context');
  const callbackData = params.get('biz_opaque_callback_data') ?? undefined;
  const biz_opaque_callback_data = readAs(callbackDataSchema, callbackData, 'biz_opaque_callback_data') ?? null;
  return { type, content, context, biz_opaque_callback_data };
}

/** The client's own data, in which every value counts. */
const opaque: ReadonlySet<string> = new Set(['data', 'flow_action_data']);

/** The content and its `action` may be JSON in a text: whatsapp-api-js sends contacts so, Chatwoot the action. */
const unwrapped = (value: unknown) => (typeof value === 'string' ? (parseJson(value) ?? value) : value);

/** Content without members that are null. */
function asGraphReads(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asGraphReads);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (opaque.has(name)) return [name, member];
      return [name, asGraphReads(name === 'action' ? unwrapped(member) : member)];
    }),
  );
}

/** Groups take texts, media and templates; only groups have pinned messages. */
export function assertForRecipient({ type: recipientType }: Recipient, { type }: MessageContent): void {
  const forGroup = recipientType === 'group';
  if (forGroup ? type !== 'interactive' : type !== 'pin') return;
  const whom = forGroup ? 'groups' : 'individuals';
  throw new GraphError('message_type_unsupported', `Messages of the type ${type} cannot be sent to ${whom}.`);
}

function invalid(what: string): GraphError {
  return new GraphError('message_parameter_invalid', `${what}.`);
}
