import { setTimeout as delay } from 'node:timers/promises';
import { seededWorkspaces } from '#local/seed.ts';
import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import type { ApiTraffic } from './api-traffic.ts';
import { differences, type FlowState } from './checks.ts';
import type { Customer } from './customers.ts';
import type { Address, Ledger } from './ledger.ts';
import type { SoakWorld } from './soak-world.ts';

const acme = seededWorkspaces[0];

/**
 * Reads the Flows of the workspace with a business account from the API. This also reconciles changes that a kill
 * abandoned.
 */
export async function listFlowsHere(api: ApiTraffic): Promise<FlowState[]> {
  const flows: FlowState[] = [];
  for (let next: string | null = `/v2/workspaces/${acme?.id}/flows`; next !== null; ) {
    const { status, body } = await api.call('GET', next);
    if (status !== 200) throw new Error(`The list of Flows responded ${status}`);
    const page = body as unknown as {
      data: { wa_id: string; name: string; status: { code: string } }[];
      links: { next: string | null };
    };
    flows.push(...page.data.map(({ wa_id, name, status: { code } }) => ({ waId: wa_id, name, status: code })));
    const url: URL | null = page.links.next === null ? null : new URL(page.links.next);
    next = url && url.pathname + url.search;
  }
  return flows;
}

export async function listFlowsUpstream(world: SoakWorld): Promise<FlowState[]> {
  const response = await fetch(`${world.description().upstream_url}/simulator/flows`);
  const { data } = (await response.json()) as { data: { id: string; name: string; status: string }[] };
  return data.map(({ id, name, status }) => ({ waId: id, name, status }));
}

/** Counts the deliveries of these numbers by state, except test notifications, which have only one attempt. */
export async function countStates(world: SoakWorld, customers: readonly Customer[]): Promise<Record<string, number>> {
  const table = world.table();
  const numbers = new Set(customers.map(({ number }) => number.id));
  const counts: Record<string, number> = {};
  const deliveries = scanItems(table, {
    FilterExpression: 'begins_with(sk, :delivery) AND kind <> :test',
    ProjectionExpression: 'subscriber, #state',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':delivery': 'DELIVERY#', ':test': 'test' },
  });
  for await (const { subscriber, state } of deliveries) {
    if (numbers.has(String(subscriber))) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
  }
  return counts;
}

/** What the log says about the deliveries of an item: of a status, also about the others of its message. */
export async function attemptsOf(world: SoakWorld, { number, target, item }: Address): Promise<unknown[]> {
  const found = scanItems(world.table(), {
    FilterExpression: 'subscriber = :subscriber AND #target = :target AND contains(payload.#text, :id)',
    ProjectionExpression: 'id, #state, created_at, attempts, #replays',
    ExpressionAttributeNames: {
      ...{ '#target': 'target', '#text': 'text', '#state': 'state', '#replays': 'replays' },
    },
    ExpressionAttributeValues: { ':subscriber': number, ':target': target, ':id': item.split(' ')[0] },
  });
  return Array.fromAsync(found);
}

/** Counts the targets whose circuit breaker is not closed or whose held deliveries are still going out. */
export async function countOpenBreakers(world: SoakWorld): Promise<number> {
  return (await Array.fromAsync(breakerStore(world.table()).listOpenOrDraining())).length;
}

/** Waits until no work is left, for at most `limitMs`. The checks report what is left then. */
export async function waitUntilDone(
  world: SoakWorld,
  { customers, ledger, api }: { customers: readonly Customer[]; ledger: Ledger; api: ApiTraffic },
  limitMs: number,
): Promise<void> {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    if (await isDone()) return;
    await delay(1_000);
  }

  async function isDone(): Promise<boolean> {
    if (ledger.missing().length > 0) return false;
    if ((await world.queueLengths()).queue > 0) return false;
    const { sending = 0, waiting = 0, held = 0 } = await countStates(world, customers);
    if (sending + waiting + held > 0 || (await countOpenBreakers(world)) > 0) return false;
    return differences(await listFlowsHere(api), await listFlowsUpstream(world)).length === 0;
  }
}
