import { isObject } from '#shared/base/json.ts';
import type { Format } from './meta-format.ts';
import { isNamed, isWorkspace, type Subscriber, type Target } from './subscriber.ts';

/** The lists in a notification of a number, each with the member that tells its items apart. */
const lists = {
  messages: 'type',
  statuses: 'status',
  calls: 'event',
  errors: undefined,
  message_echoes: 'type',
} as const;

/** What happens in this service and goes to workspaces. */
const serviceEventTypes = [
  'flow.published',
  'flow.throttled',
  'flow.blocked',
  'target.failing',
  'target.paused',
  'target.recovered',
] as const;

export type ServiceEventType = (typeof serviceEventTypes)[number];

interface EventNames {
  /** Whether an event that the target may get has this name, or several begin with it. */
  has: (name: string) => boolean;
  /** Some of them, for people. */
  examples: readonly string[];
}

// The platform may add types and statuses: words in lower case, except the statuses of calls.
const namesOfMessages: EventNames = {
  has: (name) => /^(?:messages|message_echoes|statuses)(?:\.(?!voice$)[a-z][a-z\d_]*)?$|^errors$/.test(name),
  examples: ['messages', 'messages.text', 'messages.audio', 'statuses', 'statuses.failed', 'errors', 'message_echoes'],
};
const namesOfCalls: EventNames = {
  has: (name) => /^calls(?:\.[a-z][a-z\d_]*)?$|^statuses(?:\.[A-Z][A-Z\d_]*)?$|^errors$/.test(name),
  examples: ['calls', 'calls.connect', 'calls.terminate', 'statuses', 'statuses.RINGING', 'errors'],
};

/** Targets that are not for calls may ask for them, if they have a name of their own or Meta's format. */
const namesOfBoth: EventNames = {
  has: (name) => namesOfMessages.has(name) || namesOfCalls.has(name),
  examples: [...namesOfMessages.examples, 'calls', 'calls.connect'],
};

/**
 * Those of a workspace: a field of the platform, which may be a new one, or an event of this service. Statuses, errors
 * and contacts are lists inside fields of a number and never the name of a field.
 */
const namesOfWorkspace: EventNames = {
  has: (name) => /^(?!(?:statuses|errors|contacts)$)[a-z][a-z\d_]*$/.test(name) || isOfService(name),
  examples: ['account_update', 'flow', 'target', ...serviceEventTypes],
};

/** Whether a name stands for events of this service, one or all of a kind. Meta's format has none of them. */
export const isOfService = (name: string): boolean => serviceEventTypes.some((type) => wants([name], type));

/**
 * The name of an event of a number, as its notification writes it: the list, and what its item is. Examples are
 * `messages.text`, `statuses.failed`, `calls.terminate` and `errors`.
 */
export function eventName(notification: Readonly<Record<string, unknown>>): string {
  for (const [list, member] of Object.entries(lists)) {
    const items = notification[list];
    if (!Array.isArray(items)) continue;
    const [item] = items;
    const kind = member !== undefined && isObject(item) ? item[member] : undefined;
    return typeof kind === 'string' ? `${list}.${kind}` : list;
  }
  return '';
}

/**
 * Whether a target wants an event: it wants all if it names none, and a name covers all that begin with it and a dot.
 */
export function wants(events: readonly string[] | undefined, name: string): boolean {
  return events === undefined || events.some((each) => name === each || name.startsWith(`${each}.`));
}

/**
 * Whether a target that is not for calls wants the event of a call: only if it asks for it. The errors of calls and
 * their statuses share the names of lists with those of messages, so `calls` asks for them.
 */
export function wantsCall(events: readonly string[] | undefined, name: string): boolean {
  return events?.some((each) => each === 'calls' || (each === name && name.includes('.'))) ?? false;
}

/** The names of the events that a target of a subscriber may get. */
export function eventNamesOf(subscriber: Subscriber, target: Target, format?: Format): EventNames {
  if (isWorkspace(subscriber)) return namesOfWorkspace;
  if (target === 'calls_webhook') return namesOfCalls;
  return isNamed(target) || format === 'meta' ? namesOfBoth : namesOfMessages;
}

/** Something that happened in this service and concerns a workspace. */
export interface ServiceEvent {
  workspace: string;
  type: ServiceEventType;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Identifies the event, together with its type and time, so that the service recognises a repeat. */
  subject: string;
  data: Readonly<Record<string, unknown>>;
}

/** Queues an event for the webhook of its workspace, if that has one. A repeat of the event gets the same id. */
export type Announce = (event: ServiceEvent) => Promise<void>;
