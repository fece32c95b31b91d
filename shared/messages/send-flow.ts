import { hashToken } from '#shared/accounts/token.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { within } from '#shared/base/concurrency.ts';
import { own } from '#shared/base/json.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { invalidField, invalidFields, ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { beforeSending, UpstreamError } from '#shared/base/upstream-error.ts';
import { isLive, type LiveFlow } from '#shared/flows/flow.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import type { ForeignFlowStore } from '#shared/flows/foreign-flow-store.ts';
import type { FlowWithOutline, OutlineReader } from '#shared/flows/read-with-json.ts';
import { businessAccount } from '#shared/flows/upstream-changes.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { sendMessage } from './explain-message-error.ts';
import { contentFaults, createFlowToken, interactiveFlow, openingOf } from './flow-message.ts';
import type { Message, SentMessage, UpstreamMessages } from './messages-graph.ts';
import { asContact, isReadReceipt } from './recipient.ts';
import { expirySeconds, type FlowContent } from './schema.ts';
import type { SentFlow } from './sent-flow.ts';
import type { SentFlowStore } from './sent-flow-store.ts';
import { recordStep } from './track-sent-flow.ts';

/** A message that sends one of our Flows, as the client wrote it. */
export interface FlowMessage extends Message {
  to?: string | undefined;
  recipient?: string | undefined;
  flow: FlowContent;
}

/** Returns whether a message sends one of our Flows. The upstream has no such type of its own. */
function isFlowMessage(message: Message): message is FlowMessage {
  return message.type === 'flow';
}

export interface SendFlowContext {
  flows: Pick<FlowStore, 'get'>;
  foreignFlows: ForeignFlowStore;
  readOutline: OutlineReader;
  sentFlows: Pick<SentFlowStore, 'create' | 'find' | 'remove' | 'advance'>;
  now: Clock;
}

/** Who sends the message: a number with its workspace, and the client. */
export interface Sending {
  number: PhoneNumber;
  workspace: Workspace;
  upstream: Pick<UpstreamMessages, 'send'>;
}

/**
 * Does what the body of a request for messages asks for: sends a message, or marks one as read. With `findFlow`, a
 * message in the upstream's form gets a flow token of ours if it sends a Flow of the workspace and has none.
 */
export async function sendRequest(
  body: Message,
  sending: Sending & { upstream: Pick<UpstreamMessages, 'send' | 'markRead'> },
  context: SendFlowContext,
  findFlow?: FlowStore['findByUpstreamId'],
): Promise<SentMessage | { success: true }> {
  const { number, workspace, upstream } = sending;
  if (isFlowMessage(body)) return sendFlow(body, sending, context);
  if (isReadReceipt(body)) {
    await upstream.markRead(number.phone_number_id, body);
    return { success: true };
  }
  const message = await beforeSending(() => context.foreignFlows.hide(body, [workspace]));
  const id = findFlow && flowWithoutToken(message);
  const flow = id && (await beforeSending(() => findFlow(id)));
  if (!flow || flow.workspace !== workspace.id) return sendMessage(upstream, number.phone_number_id, message);
  return sendFlowOfUpstream(message, flow, sending, context);
}

/** How long the response waits for the record of a message that was sent. */
const recordMs = 2_000;

/**
 * Sends a Flow with a flow token of its own. The record of the token is written before the message is sent, because the
 * contact may open the Flow before the upstream has responded.
 */
async function sendFlow(
  { flow: content, ...message }: FlowMessage,
  { number, workspace, upstream }: Sending,
  context: SendFlowContext,
): Promise<SentMessage> {
  const { sent, interactive } = await beforeSending(() => prepare(content, message, { number, workspace }, context));
  return sendTracked(sent, { ...message, type: 'interactive', interactive }, { number, upstream }, context);
}

/** Sends a message that has a flow token of ours, and records it. */
async function sendTracked(
  sent: SentFlow,
  message: Message,
  { number, upstream }: Omit<Sending, 'workspace'>,
  context: SendFlowContext,
): Promise<SentMessage> {
  const response = await sendOrForget(sent, () => sendMessage(upstream, number.phone_number_id, message), context);
  await noteMessage(sent, response, context);
  return response;
}

/** The upstream's id of the Flow that a message in the upstream's form sends without a flow token. */
function flowWithoutToken({ type, interactive }: Message): string | undefined {
  const parameters = own(own(interactive, 'action'), 'parameters');
  const id = own(parameters, 'flow_id');
  const isOpen = type === 'interactive' && (own(parameters, 'flow_token') ?? '') === '';
  return isOpen && typeof id === 'string' && /^\d{1,32}$/.test(id) ? id : undefined;
}

/** Sends a message in the upstream's form with a flow token of ours. */
async function sendFlowOfUpstream(
  message: Message,
  flow: LiveFlow,
  { number, upstream }: Sending,
  context: SendFlowContext,
): Promise<SentMessage> {
  const token = createFlowToken();
  const contact = asContact(String(message.to ?? message.recipient));
  const sent = newSentFlow(token, {}, flow, { number, contact }, context);
  await beforeSending(() => context.sentFlows.create(sent));
  const interactive = Object(message.interactive);
  const { action } = interactive;
  const parameters = { ...action.parameters, flow_token: token };
  const tokened = { ...message, interactive: { ...interactive, action: { ...action, parameters } } };
  return sendTracked(sent, tokened, { number, upstream }, context);
}

/** Checks the content and writes the record. */
async function prepare(
  content: FlowContent,
  { to, recipient }: Pick<FlowMessage, 'to' | 'recipient'>,
  { number, workspace }: Omit<Sending, 'upstream'>,
  context: SendFlowContext,
) {
  const { flow, outline } = await readFlow(workspace.id, content.flow, context);
  const faults = contentFaults(content, flow, outline);
  if (faults.length > 0) throw invalidFields(faults);
  businessAccount({ wabaId: workspace.waba_id });
  requireSendable(flow, content);

  const token = createFlowToken();
  const sent = newSentFlow(token, content, flow, { number, contact: asContact(to ?? recipient ?? '') }, context);
  await context.sentFlows.create(sent);
  return { sent, interactive: interactiveFlow(content, flow, token, openingOf(content, flow, outline)) };
}

async function readFlow(
  workspace: string,
  id: string,
  { flows, readOutline }: SendFlowContext,
): Promise<FlowWithOutline> {
  const stored = await flows.get(workspace, id);
  const found = stored && isLive(stored) ? await readOutline(stored) : undefined;
  if (!found) throw invalidField('flow.flow', 'flow_of_workspace');
  return found;
}

/** The upstream enforces the limit of a throttled Flow. */
function requireSendable({ status }: LiveFlow, { mode = 'published' }: FlowContent): void {
  if (status === 'DRAFT' && mode === 'draft') return;
  if (status === 'DRAFT') throw new ServiceError('flow.not-published');
  if (status !== 'PUBLISHED' && status !== 'THROTTLED') {
    throw new ServiceError('flow.not-sendable', { values: { status } });
  }
  if (mode === 'draft') throw new ServiceError('flow.not-sendable-as-draft', { values: { status } });
}

function newSentFlow(
  token: string,
  { expires_in = expirySeconds.max }: Pick<FlowContent, 'expires_in'>,
  flow: LiveFlow,
  { number, contact }: { number: PhoneNumber; contact: string },
  { now }: SendFlowContext,
): SentFlow {
  const created_at = now();
  return {
    token_hash: hashToken(token),
    workspace: flow.workspace,
    number: number.id,
    flow: flow.id,
    contact,
    draft: flow.status === 'DRAFT',
    created_at,
    expires_at: created_at + expires_in * 1000,
    stage: 'prepared',
    revision: 1,
  };
}

/**
 * Removes the record of a message that was certainly not sent. If the upstream may have sent it, the record stays: once
 * the contact opens the Flow, it counts.
 */
async function sendOrForget(
  { token_hash }: SentFlow,
  send: () => Promise<SentMessage>,
  { sentFlows }: SendFlowContext,
): Promise<SentMessage> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof UpstreamError && !error.outcomeIsUnknown) {
      await sentFlows.remove(token_hash).catch((fault) => log('warn', 'sent-flow.orphaned', describeError(fault)));
    }
    throw error;
  }
}

/** The message is on its way, so a failure to record that must not look like a failure to send. */
async function noteMessage(sent: SentFlow, { messages }: SentMessage, { sentFlows }: SendFlowContext): Promise<void> {
  const [message] = messages;
  const step = { stage: 'sent', ...(message && { message: message.id }) } as const;
  await within(recordMs, recordStep(sent, step, sentFlows)).catch((error) =>
    log('error', 'sent-flow.not-recorded', { ...describeError(error), flow: sent.flow }),
  );
}
