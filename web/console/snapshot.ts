import type { ConsoleState } from '#local/console/console-state.ts';
import type { ConsoleSettings, ConsoleValues } from '#local/console/console-values.ts';
import { getJson } from './http.ts';

export type Topic = keyof ConsoleValues;

export const settings = ['receiver', 'population', 'setup', 'rules'] as const satisfies (keyof ConsoleSettings)[];

/** The state of the world, each topic by key. */
export type Snapshot = { readonly [T in Topic]: ReadonlyMap<string, ConsoleValues[T]> } & ConsoleSettings &
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
    getJson<ConsoleSettings['population']>('/simulator/population'),
    getJson<ConsoleSettings['setup']>('/simulator/setup/faults'),
    getJson<ConsoleSettings['rules']>('/simulator/faults'),
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
