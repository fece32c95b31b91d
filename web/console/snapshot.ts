import type { ConsoleState } from '#local/console/console-state.ts';
import type { Behaviour, ReceivedWebhook } from '#local/console/receiver.ts';
import type { ShownDelivery } from '#local/console/shown-delivery.ts';
import type { ShownTarget, StoredFlow } from '#local/console/table-watch.ts';
import type { Call } from '#local/graph/calls/calls.ts';
import type { CallPermission } from '#local/graph/calls/permissions.ts';
import type { FaultRule } from '#local/graph/control/faults.ts';
import type { Conversation } from '#local/graph/conversations/conversations.ts';
import type { Contact, PopulationIds } from '#local/graph/core/population.ts';
import type { AvailableFault } from '#local/graph/core/setup-faults.ts';
import type { SentWebhook } from '#local/graph/events/webhook-sender.ts';
import type { Flow } from '#local/graph/flows/flows.ts';
import type { ShownRequest } from '#local/graph/http/request-log.ts';
import type { ReceivedMessage } from '#local/graph/messages/inbox.ts';
import type { SentMessage } from '#local/graph/messages/message.ts';
import type { Template } from '#local/graph/messages/templates.ts';
import type { Window } from '#local/graph/messages/windows.ts';
import { getJson } from './http.ts';

/** What the topics of the stream carry. */
interface Values {
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

export type Topic = keyof Values;

/** What there is one of, in the form in which the controls show it. */
interface Settings {
  /** What the built-in receiver does. */
  readonly receiver: Behaviour;
  /** What businesses see of people. */
  readonly population: { readonly ids: PopulationIds };
  readonly setup: { readonly faults: readonly string[]; readonly available: readonly AvailableFault[] };
  /** Which of the next requests fail. */
  readonly rules: { readonly data: readonly FaultRule[] };
}

export const settings = ['receiver', 'population', 'setup', 'rules'] as const satisfies (keyof Settings)[];

/** The state of the world, each topic by key. */
export type Snapshot = { readonly [T in Topic]: ReadonlyMap<string, Values[T]> } & Settings &
  Pick<ConsoleState, 'world' | 'started_at'>;

const ofConsole = ['requests', 'events', 'received', 'deliveries', 'targets'] as const;
const ofPlatform = [
  'messages',
  'inbox',
  'contacts',
  'windows',
  'conversations',
  'calls',
  'templates',
  'call-permissions',
  'flows',
] as const;

export const topics: readonly Topic[] = [...ofConsole, ...ofPlatform, 'stored-flows'];

/** Reads everything: oldest first, as the stream goes on. */
export async function readSnapshot(): Promise<Snapshot> {
  const [state, population, setup, rules, ...lists] = await Promise.all([
    getJson<ConsoleState>('/console/state'),
    getJson<Settings['population']>('/simulator/population'),
    getJson<Settings['setup']>('/simulator/setup/faults'),
    getJson<Settings['rules']>('/simulator/faults'),
    ...ofPlatform.map((topic) => getJson<{ data: object[] }>(`/simulator/${topic}`)),
  ]);
  const { world, receiver, started_at, deliveries } = state;
  const kept = { ...state, deliveries: deliveries.toReversed() };
  const newestFirst = ['messages', 'inbox', 'calls'];
  const parts = [
    ...ofConsole.map((topic) => [topic, byKey(kept[topic])]),
    ...ofPlatform.map((topic, i) => {
      const data = lists[i]?.data ?? [];
      return [topic, byKey(newestFirst.includes(topic) ? data.toReversed() : data)];
    }),
  ];
  const none = { 'stored-flows': new Map() };
  return { world, receiver, population, setup, rules, started_at, ...none, ...Object.fromEntries(parts) };
}

/**
 * Targets, windows, conversations, templates and call permissions have keys of two parts, everything else has an id.
 */
function byKey(values: readonly object[]): Map<string, object> {
  return new Map(values.map((value) => [keyOf(value), value]));
}

function keyOf(value: object): string {
  const { id, subscriber, target, phone_number_id, contact, name, language } = value as Readonly<
    Record<string, string | undefined>
  >;
  if (id !== undefined) return id;
  if (target !== undefined) return `${subscriber} ${target}`;
  return language === undefined ? `${phone_number_id} ${contact}` : `${name} ${language}`;
}
