import type { Change } from './events.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The body of a webhook. */
export interface Envelope {
  readonly object: 'whatsapp_business_account';
  readonly entry: readonly { id: string; time: number; changes: readonly { field: string; value: JsonObject }[] }[];
}

const eventLists = ['messages', 'statuses', 'errors', 'calls', 'user_actions'];

/** Puts events into one body as the upstream batches them: an entry per account, and a value per number and field. */
export function envelopeOf(changes: readonly Change[], now: number): Envelope {
  const time = Math.floor(now / 1000);
  const entry = [...Map.groupBy(changes, ({ entryId }) => entryId)].map(([id, ofAccount]) => ({
    id,
    time,
    changes: [...Map.groupBy(ofAccount, batchKey).values()].map((batch) => ({
      field: batch[0]?.field ?? '',
      value: mergedValue(batch.map(({ value }) => value)),
    })),
  }));
  return { object: 'whatsapp_business_account', entry };
}

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
