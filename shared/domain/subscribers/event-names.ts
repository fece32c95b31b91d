import { isObject } from '#shared/base/json/json-object.ts';
import { isWorkspace, type Subscriber } from './subscriber.ts';
import type { Target } from './target.ts';

/** The lists in a notification of a number, each with the member that tells its items apart. */
const lists = { messages: 'type', statuses: 'status', calls: 'event', errors: undefined } as const;

type ListName = keyof typeof lists;

const listsOfTarget: Readonly<Record<Target, readonly ListName[]>> = {
  webhook: ['messages', 'statuses', 'errors'],
  secondary_webhook: ['messages', 'statuses', 'errors'],
  calls_webhook: ['calls', 'statuses', 'errors'],
};

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

/** What an event's name can begin with at a target of a number. A workspace gets any field, also future ones. */
export function knownLists(subscriber: Subscriber, target: Target): readonly string[] | undefined {
  return isWorkspace(subscriber) ? undefined : listsOfTarget[target];
}
