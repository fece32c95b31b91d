import type { CallPermissionStore } from '../calls/permission-store.ts';
import { requested } from '../calls/permissions.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { type BusinessAccount, type BusinessNumber, findNumber } from '../core/accounts.ts';
import { isUserId, phoneDigits } from '../core/contacts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Population } from '../core/population.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { TokenBucket } from '../core/token-bucket.ts';
import { newId } from '../events/events.ts';
import { faultyFlow } from '../flows/flow-faults.ts';
import type { FlowStore } from '../flows/store.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { assertProduct, objectParam, stringParam } from '../http/params.ts';
import type { MediaStore } from '../media/store.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import type { NumberSetup } from '../setup/number-setup.ts';
import { sendingObstacle } from '../setup/sending.ts';
import {
  assertForRecipient,
  type MessageContent,
  type Recipient,
  readContent,
  readRecipient,
} from './bodies/params.ts';
import { type BilledCategory, directCategory, marketingCategory, ordinaryCategory } from './category.ts';
import { FlowSending, findFlow, flowParametersOf } from './flow-message.ts';
import type { Inbox } from './inbox.ts';
import type { SentMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import { type Pacing, templateOf } from './pacing.ts';
import { canReact } from './reaction.ts';
import { isSendable, sentMedia } from './sent-media.ts';
import type { SendingSettings } from './settings.ts';
import type { StatusScript, StatusScripts } from './status-script.ts';
import type { Templates } from './templates.ts';
import type { Windows } from './windows.ts';

export interface MessageRoutesOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly flows: FlowStore;
  readonly media: MediaStore;
  readonly templates: Templates;
  readonly permissions: CallPermissionStore;
  readonly callingSettings: CallingSettings;
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  readonly windows: Windows;
  readonly scripts: StatusScripts;
  readonly pacing: Pacing;
  readonly conversations: Conversations;
  readonly numbers: NumberSetup;
  readonly faults: SetupFaults;
  readonly settings: () => SendingSettings;
  readonly now: () => number;
}

/** Checks what the category demands, and tells what the message is billed as. */
type CategoryOf = (request: GraphRequest, message: MessageContent, recipient: Recipient) => BilledCategory | null;

const failedWith = (code: number): StatusScript => [{ status: 'failed', code }];

/** Graph's operations on messages (Meta's pages "Messages" and "Mark messages as read"). */
export function messageRoutes(options: MessageRoutesOptions): GraphRoute[] {
  const { accounts, population, flows, media, templates, permissions, callingSettings } = options;
  const { outbox, inbox, windows, scripts, pacing, conversations, numbers, faults, settings, now } = options;
  const throughput = new TokenBucket();
  const pairs = new TokenBucket();
  const flowSending = new FlowSending();
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
      handle: (request) =>
        send(request, ({ params }, message, recipient) =>
          message.type === 'template'
            ? ordinaryCategory(message, templates, settings())
            : directCategory(params, message, recipient, settings()),
        ),
    },
    {
      operation: 'send_marketing_message',
      method: 'POST',
      edge: 'marketing_messages',
      handle: (request) =>
        send(request, ({ params }, message) => marketingCategory(params, message, templates, settings())),
    },
  ];

  function send(request: GraphRequest, categoryOf: CategoryOf) {
    const { id, params } = request;
    const number = numberOf(id);
    numbers.assertRegistered(id);
    assertProduct(params);
    const addressed = readRecipient(params, settings());
    const recipient = { ...addressed, contact: addressed.contact && population.idOf(addressed.contact) };
    const message = readContent(params);
    assertForRecipient(addressed, message);
    assertOtherNumber(number, addressed);
    assertSendable(message);
    const category = categoryOf(request, message, addressed);
    const files = sentMedia(media, number.phoneNumberId, message);
    assertWithinRates(number, recipient);
    assertFlowSendable(number, message);

    const messageId = newId('wamid');
    const isOpen = recipient.contact === undefined || category !== null || mayGetAnything(number, recipient, message);
    if (isOpen) askForPermission(number, recipient, message, messageId);
    if (recipient.contact !== undefined) {
      const sent = { ...sentMessage(number, recipient, message, messageId), category };
      dispatch(sent, scriptOf(sent, { isOpen, isDeliverable: files.every(isSendable) }));
      if (isOpen && category === null && message.type !== 'template') conversations.take(number, sent.contact);
    }
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input: addressed.input, ...idOf(addressed) }],
      messages: [
        {
          id: messageId,
          ...(addressed.type === 'group' && { group_id: addressed.contact }),
          ...(message.type === 'template' && { message_status: statusOf(message) }),
        },
      ],
    };
  }

  function statusOf(message: MessageContent) {
    return pacing.isHeld(templateOf(message)) ? 'held_for_quality_assessment' : 'accepted';
  }

  /** Sends the statuses of a message, unless its template is held. */
  function dispatch(message: SentMessage, script: StatusScript): void {
    const isHeld = pacing.take(templateOf(message), { message, script });
    outbox.add(message, isHeld ? [] : script);
  }

  function sentMessage(
    { phoneNumberId }: BusinessNumber,
    { contact = '', type: recipient_type }: Recipient,
    message: MessageContent,
    id: string,
  ): Omit<SentMessage, 'category'> {
    const state = { sent_at: now(), bill: null, statuses: [] };
    return { id, phone_number_id: phoneNumberId, contact, recipient_type, ...message, ...state };
  }

  /** What becomes of a message. */
  function scriptOf(
    message: SentMessage,
    { isOpen, isDeliverable }: { readonly isOpen: boolean; readonly isDeliverable: boolean },
  ): StatusScript {
    if (!isOpen) return failedWith(131047);
    if (message.type === 'template' && faults.has('payment_missing')) return failedWith(131042);
    if (!isDeliverable) return failedWith(131053);
    const { statuses } = settings();
    if (message.type !== 'reaction') return scripts.take(message.contact, statuses);
    if (!canReact(message, { inbox, outbox, now: now() })) return failedWith(131009);
    // Of reactions, Meta sends no status but this one.
    return scripts.take(
      message.contact,
      statuses.filter(({ status }) => status !== 'delivered' && status !== 'read'),
    );
  }

  /** Outside the 24-hour window, Graph accepts any message, and all but templates fail. */
  function mayGetAnything(
    { phoneNumberId }: BusinessNumber,
    { contact = '', type }: Recipient,
    message: MessageContent,
  ) {
    if (message.type === 'template' || type === 'group') return true;
    return windows.isOpen(phoneNumberId, contact, settings().windows);
  }

  function assertSendable(message: MessageContent): void {
    const isTemplate = message.type === 'template';
    const obstacle = sendingObstacle(faults, isTemplate ? 'template' : 'message');
    if (obstacle !== undefined) throw new GraphError(obstacle);
    if (isTemplate) assertTemplateSendable(message);
  }

  function assertTemplateSendable(message: MessageContent): void {
    templates.assertFits(message.content, settings().templates);
    if (pacing.isPaused(templateOf(message))) throw new GraphError('template_paused');
  }

  function assertFlowSendable({ wabaId }: BusinessNumber, { content }: MessageContent): void {
    const parameters = flowParametersOf(content);
    if (parameters === undefined) return;
    const hourlyLimit = settings().throttled_flow_messages_per_hour;
    const flow = findFlow(flows, wabaId, parameters);
    flowSending.assertSendable(flow && faultyFlow(flow, faults), parameters, hourlyLimit, now());
  }

  /** Records a request for the permission to call. Throws if it is one too many. */
  function askForPermission(number: BusinessNumber, recipient: Recipient, message: MessageContent, id: string): void {
    const { contact } = recipient;
    if (contact === undefined || Object(message.content).type !== 'call_permission_request') return;
    if (!callingSettings.isOn(number.phoneNumberId)) throw new GraphError('calling_not_enabled');
    permissions.save({ ...requested(permissions.of(number.phoneNumberId, contact), now()), request_message: id });
  }

  function assertWithinRates({ phoneNumberId }: BusinessNumber, { input, contact = input }: Recipient): void {
    const { messages_per_second: rate, pair_burst: burst, pair_seconds } = settings();
    const ofNumber = rate === null ? null : { burst: rate, everyMs: 1000 / rate };
    if (!throughput.take(phoneNumberId, ofNumber, now())) throw new GraphError('throughput_limit');
    const ofPair = burst === null ? null : { burst, everyMs: pair_seconds * 1000 };
    if (!pairs.take(`${phoneNumberId} ${contact}`, ofPair, now())) throw new GraphError('pair_rate_limit');
  }

  function markRead({ id, params }: GraphRequest) {
    const { phoneNumberId } = numberOf(id);
    assertProduct(params);
    if (stringParam(params, 'status') !== 'read') throw invalid('status has to be read.');
    const messageId = stringParam(params, 'message_id');
    if (messageId === undefined) throw new GraphError('invalid_parameter', 'The parameter message_id is required');
    const typing = objectParam(params, 'typing_indicator');
    if (typing !== undefined && typing.get('type') !== 'text') throw invalid('typing_indicator.type has to be text.');
    const message = inbox.get(messageId);
    if (message === undefined || message.phone_number_id !== phoneNumberId) {
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

function assertOtherNumber({ displayPhoneNumber }: BusinessNumber, { contact }: Recipient): void {
  if (contact === phoneDigits(displayPhoneNumber)) throw new GraphError('recipient_is_sender');
}

/** Graph names the recipient by the kind of id that the request had. */
function idOf({ contact }: Recipient): { wa_id?: string; user_id?: string } {
  if (contact === undefined) return {};
  return isUserId(contact) ? { user_id: contact } : { wa_id: contact };
}

function invalid(details: string): GraphError {
  return new GraphError('message_parameter_invalid', details);
}
