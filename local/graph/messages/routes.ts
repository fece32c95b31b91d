import { isObject } from '#shared/base/json.ts';
import type { CallPermissionStore } from '../calls/permission-store.ts';
import { requested } from '../calls/permissions.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { type BusinessNumber, findNumber } from '../core/accounts.ts';
import { isUserId } from '../core/contacts.ts';
import type { Platform } from '../core/platform.ts';
import { newId } from '../events/events.ts';
import { faultyFlow } from '../flows/flow-faults.ts';
import type { FlowStore } from '../flows/store.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { assertProduct, objectParam, type Params, stringParam } from '../http/params.ts';
import { mediaTypes } from '../media/kinds.ts';
import type { MediaStore } from '../media/store.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import type { NumberSetup } from '../setup/number-setup.ts';
import {
  assertForRecipient,
  type MessageContent,
  type Recipient,
  readContent,
  readRecipient,
} from './bodies/params.ts';
import { assertFlowSendable, findFlow, flowParametersOf } from './flow-message.ts';
import type { Inbox } from './inbox.ts';
import type { BilledCategory, SentMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { Sending, StatusScript } from './settings.ts';
import type { Templates } from './templates.ts';
import type { Windows } from './windows.ts';

export interface MessageRoutesOptions {
  readonly platform: Platform;
  readonly flows: FlowStore;
  readonly media: MediaStore;
  readonly templates: Templates;
  readonly permissions: CallPermissionStore;
  readonly callingSettings: CallingSettings;
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  readonly windows: Windows;
  readonly conversations: Conversations;
  readonly numbers: NumberSetup;
  readonly sending: Sending;
}

const billedAs = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' } as const;

type SentAs = BilledCategory | null;

const failedWith = (code: number): StatusScript => [{ status: 'failed', code }];

/** Graph's operations on messages (Meta's pages "Messages" and "Mark messages as read"). */
export function messageRoutes(options: MessageRoutesOptions): GraphRoute[] {
  const { platform, flows, media, templates, permissions, callingSettings } = options;
  const { outbox, inbox, windows, conversations, numbers, sending } = options;
  const { accounts, population, faults, now } = platform;
  return [
    {
      operation: 'mark_message_read',
      method: 'POST',
      edge: 'messages',
      takes: ({ params }) => params.has('status'),
      handle: markRead,
    },
    {
      operation: 'send_message',
      method: 'POST',
      edge: 'messages',
      handle: (request) => send(request, categoryOf),
    },
    {
      operation: 'send_marketing_message',
      method: 'POST',
      edge: 'marketing_messages',
      handle: (request) => send(request, marketingCategory),
    },
  ];

  function send({ id, params }: GraphRequest, billing: (params: Params, message: MessageContent) => SentAs) {
    const number = numberOf(id);
    numbers.assertRegistered(id);
    assertProduct(params);
    const addressed = readRecipient(params);
    const recipient = { ...addressed, contact: addressed.contact && population.idOf(addressed.contact) };
    const message = readContent(params);
    assertForRecipient(addressed, message);
    assertOtherNumber(number, addressed);
    assertSendable(message);
    const category = billing(params, message);
    assertHasMedia(id, message);
    assertHasFlow(number, message);

    const messageId = newId('wamid');
    const isOpen = recipient.contact === undefined || category !== null || mayGetAnything(id, recipient, message);
    if (isOpen) askForPermission(number, recipient, message, messageId);
    if (recipient.contact !== undefined) {
      const sent = { ...sentMessage(id, recipient, message, messageId), category };
      outbox.add(sent, scriptOf(sent, isOpen));
      if (isOpen && category === null && message.type !== 'template') conversations.take(number, sent.contact);
    }
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input: addressed.input, ...idOf(addressed) }],
      messages: [
        {
          id: messageId,
          ...(addressed.type === 'group' && { group_id: addressed.contact }),
          ...(message.type === 'template' && { message_status: 'accepted' }),
        },
      ],
    };
  }

  function sentMessage(
    phone_number_id: string,
    { contact = '', type: recipient_type }: Recipient,
    message: MessageContent,
    id: string,
  ): Omit<SentMessage, 'category'> {
    const state = { sent_at: now(), bill: null, statuses: [] };
    return { id, phone_number_id, contact, recipient_type, ...message, ...state };
  }

  /** What becomes of a message. */
  function scriptOf({ type }: SentMessage, isOpen: boolean): StatusScript {
    if (!isOpen) return failedWith(131047);
    if (type === 'template' && faults.has('payment_missing')) return failedWith(131042);
    const { statuses } = sending.settings;
    // Of reactions, Meta sends no status but `sent`.
    return type === 'reaction' ? statuses.filter(({ status }) => !['delivered', 'read'].includes(status)) : statuses;
  }

  /** Outside the 24-hour window, Graph accepts any message, and all but templates fail. */
  function mayGetAnything(phone_number_id: string, { contact = '', type }: Recipient, message: MessageContent) {
    return message.type === 'template' || type === 'group' || windows.isOpen({ phone_number_id, contact });
  }

  /** What a template is billed as, or a text that is sent without one outside the window (Meta's page "Direct Send"). */
  function categoryOf(params: Params, { type, content }: MessageContent): SentAs {
    if (type === 'template') {
      const template = templates.of(content)?.category;
      return template === undefined ? null : billedAs[template];
    }
    const category = stringParam(params, 'category');
    if (category === undefined || category === 'utility' || category === 'authentication') return category ?? null;
    throw new GraphError('invalid_parameter', 'Param category must be one of {UTILITY, AUTHENTICATION}');
  }

  /** A restricted number can only answer contacts (Meta's error code 131048). */
  function assertSendable({ type, content }: MessageContent): void {
    if (faults.has('account_restricted') || faults.has('account_review_rejected'))
      throw new GraphError('account_locked');
    if (type !== 'template') return;
    if (faults.has('number_restricted')) throw new GraphError('spam_limit');
    templates.assertFits(content);
  }

  /** The files that a message names by their ids are those of uploads, and those that contacts sent to the number. */
  function assertHasMedia(phoneNumberId: string, { type, content }: MessageContent): void {
    const missing = mediaIn(type, content, type).find(({ id }) => media.usable(id, phoneNumberId) === undefined);
    if (missing === undefined) return;
    throw new GraphError(
      'invalid_parameter',
      `Param ${missing.param} is not a valid whatsapp business account media attachment ID`,
    );
  }

  function assertHasFlow({ wabaId }: BusinessNumber, { content }: MessageContent): void {
    const parameters = flowParametersOf(content);
    if (parameters === undefined) return;
    const flow = findFlow(flows, wabaId, parameters);
    assertFlowSendable(flow && faultyFlow(flow, faults), parameters);
  }

  /** Records a request for the permission to call. Throws if it is one too many. */
  function askForPermission(number: BusinessNumber, recipient: Recipient, message: MessageContent, id: string): void {
    const { contact } = recipient;
    if (contact === undefined || Object(message.content).type !== 'call_permission_request') return;
    const phone_number_id = number.phoneNumberId;
    if (!callingSettings.isOn(phone_number_id)) throw new GraphError('calling_not_enabled');
    permissions.save({ ...requested(permissions.of({ phone_number_id, contact }), now()), request_message: id });
  }

  function markRead({ id, params }: GraphRequest) {
    numberOf(id);
    assertProduct(params);
    if (stringParam(params, 'status') !== 'read') throw invalid('status has to be read.');
    const messageId = stringParam(params, 'message_id');
    if (messageId === undefined) throw new GraphError('invalid_parameter', 'The parameter message_id is required');
    const typing = objectParam(params, 'typing_indicator');
    if (typing !== undefined && typing.get('type') !== 'text') throw invalid('typing_indicator.type has to be text.');
    const message = inbox.get(messageId);
    if (message === undefined || message.phone_number_id !== id) {
      throw invalid('message_id has to be the id of a message that the phone number has received.');
    }
    inbox.save({ ...message, read: true, typing: typing !== undefined });
    return { success: true };
  }

  function numberOf(id: string): BusinessNumber {
    const number = findNumber(accounts, id);
    if (number === undefined) throw new GraphError('object_missing');
    return number;
  }
}

/** Only templates can be sent with `/marketing_messages`, to one person (Meta's page "Send Marketing Messages"). */
function marketingCategory(params: Params, { type }: MessageContent): BilledCategory {
  if (stringParam(params, 'recipient_type') !== 'individual') {
    throw new GraphError('invalid_parameter', 'Param recipient_type must be individual');
  }
  if (type !== 'template') throw new GraphError('invalid_parameter', 'Message must be a template message.');
  return 'marketing_lite';
}

function assertOtherNumber({ phoneNumber }: BusinessNumber, { contact }: Recipient): void {
  if (contact === phoneNumber) throw new GraphError('recipient_is_sender');
}

/** Graph names the recipient by the kind of id that the request had. */
function idOf({ contact }: Recipient): { wa_id?: string; user_id?: string } {
  if (contact === undefined) return {};
  return isUserId(contact) ? { user_id: contact } : { wa_id: contact };
}

/** The data of a Flow may have any members, so no file is looked for in it. */
const skipped = ['flow_action_payload', 'flow_action_data'];

/** The places in a message that name a file by its id, such as `interactive['header']['image']['id']`. */
function mediaIn(name: string, value: unknown, param: string): { readonly id: string; readonly param: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => mediaIn('', item, `${param}[${index}]`));
  if (!isObject(value)) return [];
  const { id } = value;
  if (Object.hasOwn(mediaTypes, name) && typeof id === 'string') return [{ id, param: `${param}['id']` }];
  return Object.entries(value)
    .filter(([member]) => !skipped.includes(member))
    .flatMap(([member, inner]) => mediaIn(member, inner, `${param}['${member}']`));
}

function invalid(details: string): GraphError {
  return new GraphError('message_parameter_invalid', details);
}
