import type { Call } from '../graph/calls/calls.ts';
import type { CallPermission } from '../graph/calls/permissions.ts';
import type { FaultRule } from '../graph/control/faults.ts';
import type { Conversation } from '../graph/conversations/conversations.ts';
import type { Contact, PopulationIds } from '../graph/core/population.ts';
import type { AvailableFault } from '../graph/core/setup-faults.ts';
import type { SentWebhook } from '../graph/events/webhook-sender.ts';
import type { Flow } from '../graph/flows/flows.ts';
import type { ShownRequest } from '../graph/http/request-log.ts';
import type { OpenableFlow } from '../graph/messages/flow-phone.ts';
import type { ReceivedMessage } from '../graph/messages/inbox.ts';
import type { SentMessage } from '../graph/messages/message.ts';
import type { Template } from '../graph/messages/templates.ts';
import type { Window } from '../graph/messages/windows.ts';
import type { Behaviour, ReceivedWebhook } from './receiver.ts';
import type { SdpFinding } from './sdp-check.ts';
import type { ShownDelivery } from './shown-delivery.ts';
import type { SignatureState } from './signature-state.ts';
import type { ShownTarget, StoredFlow } from './table-watch.ts';

/** What the topics of the stream carry. */
export interface ConsoleValues {
  /** Requests of the service to the platform. */
  requests: ShownRequest;
  /** Events of the platform to the service. */
  events: SentWebhook;
  /** Webhooks at the built-in receiver. */
  received: ReceivedWebhook;
  deliveries: ShownDelivery;
  targets: ShownTarget;
  /** Messages of the business. */
  messages: SentMessage;
  /** Messages of contacts. */
  inbox: ReceivedMessage;
  contacts: Contact;
  windows: Window;
  conversations: Conversation;
  calls: Call;
  templates: Template;
  'call-permissions': CallPermission;
  /** Flows as the platform has them. */
  flows: Flow;
  /** The Flows of a workspace as the service has them, if any of them has changed since the page began to follow. */
  'stored-flows': readonly StoredFlow[];
}

/** What there is one of, in the form in which the controls show it. */
export interface ConsoleSettings {
  /** What the built-in receiver does. */
  readonly receiver: Behaviour;
  /** What businesses see of people. */
  readonly population: { readonly ids: PopulationIds };
  readonly setup: { readonly faults: readonly string[]; readonly available: readonly AvailableFault[] };
  /** Which of the next requests fail. */
  readonly rules: { readonly data: readonly FaultRule[] };
}

/** The page takes them from here, so that it does not know where the world keeps them. */
export type {
  Behaviour,
  Call,
  CallPermission,
  FaultRule,
  OpenableFlow,
  ReceivedMessage,
  ReceivedWebhook,
  SdpFinding,
  SentMessage,
  ShownDelivery,
  ShownRequest,
  ShownTarget,
  SignatureState,
  Template,
};
