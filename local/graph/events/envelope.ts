import type { Change } from '../core/platform.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The body of a webhook. */
export interface Envelope {
  readonly object: 'whatsapp_business_account';
  readonly entry: readonly Entry[];
}

interface Entry {
  readonly id: string;
  readonly time?: number;
  readonly changes: readonly { field: string; value: JsonObject }[];
}

const eventLists = ['messages', 'statuses', 'errors', 'calls', 'user_actions'];

/**
 * Puts events into one body as the upstream batches them: an entry per account, and a value per number and field. In
 * Meta's examples (the pages of "Webhooks reference", and those of calls, groups, Flows and conversation routing), an
 * entry has a time only if its value names no messaging product, such as that of an account, a template or a Flow.
 */
export function envelopeOf(changes: readonly Change[], now: number): Envelope {
  const time = Math.floor(now / 1000);
  const entry = [...Map.groupBy(changes, entryKey).values()].map((ofEntry) => ({
    id: ofEntry[0]?.entryId ?? '',
    ...(ofEntry.some(hasTime) && { time }),
    changes: [...Map.groupBy(ofEntry, batchKey).values()].map((batch) => ({
      field: batch[0]?.field ?? '',
      value: mergedValue(batch.map(({ value }) => value)),
    })),
  }));
  return { object: 'whatsapp_business_account', entry };
}

const hasTime = ({ value }: Change) => !Object.hasOwn(value, 'messaging_product');

const entryKey = (change: Change) => `${change.entryId} ${hasTime(change)}`;

/** Only events of numbers have lists to which another event can be added. */
function batchKey(change: Change): unknown {
  return !['messages', 'calls'].includes(change.field)
    ? change
    : `${change.field} ${JSON.stringify(change.value.metadata)}`;
}

function mergedValue(values: readonly JsonObject[]): JsonObject {
  const all = (name: string) => values.flatMap((value) => value[name] ?? []);
  const lists = [
    ['contacts', distinct(all('contacts'))] as const,
    ...eventLists.map((name) => [name, all(name)] as const),
  ];
  return Object.assign({}, ...values, Object.fromEntries(lists.filter(([, items]) => items.length > 0)));
}

/** The contact of several messages appears once. */
function distinct(items: readonly unknown[]): unknown[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
