import type { Context } from 'aws-lambda';
import { listDeliveries } from '#functions/deliveries/contracts.ts';
import { makeHandler as makeListDeliveries } from '#functions/deliveries/list-deliveries.ts';
import { makeHandler as makeListFlows } from '#functions/flows/list-flows.ts';
import { makeHandler as makeListNumbers } from '#functions/workspaces/list-numbers.ts';
import { membershipStore } from '#shared/accounts/membership-store.ts';
import { createToken, hashToken } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { markOf } from '#shared/base/mark.ts';
import { dayMs } from '#shared/base/time.ts';
import { type Delivery, deliveryId } from '#shared/delivery/delivery.ts';
import { deliveryItem, deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { LiveFlow, StoredJson } from '#shared/flows/flow.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import type { HttpEvent } from '#shared/http/request.ts';
import { accessReader } from '#shared/operations/access-store.ts';
import type { Contract } from '#shared/operations/contract.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { startMemoryEngine } from '#support/aws/memory-engine.ts';
import { loadItems, type TableCost, tableCosts } from '#support/aws/table-cost.ts';
import type { Build } from '../build.ts';
import { elapsed, type Figure, median } from '../report.ts';
import { withWorld } from '../world/bench-world.ts';

const warmUpPairs = 10;
const leastPairs = 50;
const leastMs = 5_000;
const pageSize = 20;

/** A filter finds this many Flows or deliveries, the oldest ones. */
const rare = 40;

const sizes = { flows: [100, 100_000], numbers: [1, 1_000] } as const;
/** More than a page, so that both pages show as much. */
const fewNumbers = 30;
const fewDeliveries = 400;

type Handler = (event: HttpEvent, context: Context) => Promise<{ statusCode: number; body?: string }>;

/** A request, once among few items and once among many. */
interface Comparison {
  what: string;
  few: () => Promise<string>;
  many: () => Promise<string>;
}

const user = newId();
const token = createToken();
const now = Date.now();

/**
 * Measures what a request costs among few items and among many: handlers and stores in this process, on a DynamoDB
 * engine whose table is loaded directly.
 */
export async function measureGrowth(build: Build, manyDeliveries = 1_000_000): Promise<Figure[]> {
  const engine = await startMemoryEngine();
  try {
    return await withWorld(build, { dynamoDbUrl: engine.url }, async ({ table }) => {
      const costOf = tableCosts(table);
      const log = console.info;
      console.info = () => {};
      try {
        await tokenStore(table).create({ hash: hashToken(token), user, label: 'bench', created_at: now });
        const figures: Figure[] = [];
        const comparisons = [
          ...(await flowLists(table)),
          await numberLists(table),
          ...(await deliveryLists(table, manyDeliveries)),
        ];
        for (const comparison of comparisons) figures.push(...(await compare(comparison, costOf)));
        return figures;
      } finally {
        console.info = log;
      }
    });
  } finally {
    await engine.close();
  }
}

/** Alternates between both requests, so that other load on the machine affects both. */
async function compare(
  { what, few, many }: Comparison,
  costOf: (action: () => Promise<unknown>) => Promise<TableCost>,
): Promise<Figure[]> {
  for (const request of [few, many]) {
    const { data } = JSON.parse(await request());
    if (data.length !== pageSize) throw new Error(`${what} returned ${data.length}`);
  }
  const ratios: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < warmUpPairs; pair++) {
    await few();
    await many();
  }
  const begunAt = performance.now();
  for (let pair = 0; pair < leastPairs || performance.now() - begunAt < leastMs; pair++) {
    // Both take turns in going first, because the first of a pair may find the processor's caches cold.
    const before = pair % 2 === 0 ? await elapsed(few) : undefined;
    const manyMs = await elapsed(many);
    const fewMs = before ?? (await elapsed(few));
    ratios.push(manyMs / fewMs);
    times.push(manyMs);
  }
  const [fewCost, manyCost] = [await costOf(few), await costOf(many)];
  const [calls, manyCalls] = [fewCost.calls.length, manyCost.calls.length];
  return [
    { what: `${what}: ${calls} → ${manyCalls} DynamoDB calls`, value: manyCalls / calls, unit: '×', budget: 1.1 },
    { what: `…time, ${median(times).toFixed(1)} ms among many`, value: median(ratios), unit: '×', budget: 1.1 },
  ];
}

async function newWorkspace(table: Table): Promise<string> {
  const id = newId();
  await workspaceStore(table).create({ id, name: 'Bench', waba_id: '1', created_at: now });
  await workspaceStore(table).putMember({ workspace: id, user, role: 'owner' });
  return id;
}

async function flowLists(table: Table): Promise<Comparison[]> {
  const [few, many] = [await newWorkspace(table), await newWorkspace(table)];
  const flowJson = flowJsonStore(table, { put: unused, get: unused, delete: unused });
  const text = JSON.stringify({ version: '7.3', screens: [], filler: 'x'.repeat(5_000) });
  const texts = await Promise.all(Array.from({ length: 50 }, () => flowJson.keep(newId(), text)));
  for (const [workspace, count] of [
    [few, sizes.flows[0]],
    [many, sizes.flows[1]],
  ] as const) {
    await loadItems(table, flowItems(workspace, count, texts));
  }
  const handler = makeListFlows({
    ...wrapper(table),
    baseUrl: 'https://api.example.com',
    contextFor: () => ({ flows: flowStore(table), flowJson, holder: 'bench', now: Date.now }) as unknown as FlowContext,
  }) as unknown as Handler;
  const list = (workspace: string, query: Record<string, string>) => () =>
    send(handler, { workspace }, { queryStringParameters: { limit: String(pageSize), ...query } });
  const comparison = (name: string, query: Record<string, string>): Comparison => ({
    what: `list-flows, ${sizes.flows.map((size) => size.toLocaleString('en')).join(' → ')} Flows, ${name}`,
    few: list(few, query),
    many: list(many, query),
  });
  return [comparison('no filter', {}), comparison('a status of the oldest', { status: '2' })];
}

function* flowItems(workspace: string, count: number, texts: readonly StoredJson[]) {
  for (let index = 0; index < count; index++) {
    const id = newId();
    const flow: LiveFlow = {
      ...{ id, workspace, wa_id: `${workspace}.${index}`, name: 'Appointments', categories: [3], version: '7.3' },
      ...{ endpoint_url: null, endpoint_encrypted: true, preview_generation: 0, created_at: now, updated_at: now },
      status: index < rare ? 'PUBLISHED' : 'DRAFT',
      json: texts[index % texts.length] ?? { text: '{}' },
    };
    yield { ...keys.flow(workspace, id), ...indexKeys.flow(id), ...flow };
    yield keys.flowOfStatus(workspace, flow.status, id);
  }
}

async function numberLists(table: Table): Promise<Comparison> {
  const [, manyNumbers] = sizes.numbers;
  const [few, many] = [await newNumber(table, fewNumbers), await newNumber(table, manyNumbers)];
  const handler = makeListNumbers({
    ...wrapper(table),
    baseUrl: 'https://api.example.com',
    memberships: membershipStore(table),
  }) as unknown as Handler;
  const list =
    ({ workspace }: PhoneNumber) =>
    () =>
      send(handler, {}, { queryStringParameters: { limit: String(pageSize), workspace } });
  return {
    what: `list-numbers, ${fewNumbers} → ${manyNumbers.toLocaleString('en')} numbers in the workspace`,
    few: list(few),
    many: list(many),
  };
}

async function deliveryLists(table: Table, manyDeliveries: number): Promise<Comparison[]> {
  const [alone, among] = [await newNumber(table, 1), await newNumber(table, sizes.numbers[1])];
  const [few, many] = [await newNumber(table, 1), await newNumber(table, 1)];
  for (const number of [alone, among, few]) await loadItems(table, deliveryItems(number, fewDeliveries));
  await loadItems(table, deliveryItems(many, manyDeliveries));

  const dependencies = {
    ...wrapper(table),
    baseUrl: 'https://api.example.com',
    deliveries: deliveryStore(table),
    targets: targetStore(table),
  };
  const lists = makeListDeliveries(dependencies) as unknown as Handler;
  const list = (number: PhoneNumber, query: Record<string, string>) => () =>
    send(
      lists,
      { number: number.id },
      { routeKey: routeOf(listDeliveries), queryStringParameters: { limit: String(pageSize), ...query } },
    );

  const inWorkspace = `${sizes.numbers.map((size) => size.toLocaleString('en')).join(' → ')} numbers in the workspace`;
  const deliveries = [fewDeliveries, manyDeliveries].map((size) => size.toLocaleString('en')).join(' → ');
  const comparison = (name: string, query: Record<string, string>): Comparison => ({
    what: `list-deliveries, ${deliveries} deliveries, ${name}`,
    few: list(few, query),
    many: list(many, query),
  });
  return [
    comparison('no filter', {}),
    comparison('the oldest exhausted', { state: 'exhausted' }),
    { what: `list-deliveries, ${inWorkspace}`, few: list(alone, {}), many: list(among, {}) },
  ];
}

/** A number in a workspace of its own with this many numbers. */
async function newNumber(table: Table, count: number): Promise<PhoneNumber> {
  const workspace = await newWorkspace(table);
  const numbers = Array.from({ length: count }, (): PhoneNumber => {
    const members = { active: true, calling_enabled: false, created_at: now };
    return { id: newId(), workspace, phone_number_id: newId(), display_phone_number: '+1', ...members };
  });
  for (const number of numbers) await numberStore(table).create(number);
  const [first] = numbers;
  if (!first) throw new Error('The workspace has no number');
  await targetStore(table).setUrls(first.id, { webhook: 'https://example.com/' });
  return first;
}

const spanMs = 29 * dayMs;

/** Deliveries are spread evenly over 29 days, whatever their number. */
const createdAt = (index: number, count: number) => now - spanMs + Math.floor((index * spanMs) / count);

/** Deliveries. The oldest are exhausted. */
function* deliveryItems(number: PhoneNumber, count: number) {
  const payload = { text: JSON.stringify({ statuses: [{ id: 'wamid.'.padEnd(60, 'x'), status: 'delivered' }] }) };
  for (let index = 0; index < count; index++) {
    const created_at = createdAt(index, count);
    const target = 'webhook';
    const delivery: Delivery = {
      ...{ subscriber: number.id, target, kind: 'status', payload, created_at },
      id: deliveryId({ subscriber: 'any', target, key: keyOf(index, count), timestampMs: created_at }),
      state: index < rare ? 'exhausted' : 'delivered',
      ...{ attempt_count: 1, attempts: [{ at: created_at, duration_ms: 120, status: 200 }], replays: [] },
    };
    yield deliveryItem(delivery);
  }
}

/**
 * Gives the oldest and the newest deliveries of all numbers the same hashes, so that they are spread over the
 * partitions in the same way.
 */
const keyOf = (index: number, count: number) => (index < count / 2 ? `${index}` : `${index - count}`);

const wrapper = (table: Table) => ({ access: accessReader(table), now: Date.now, mark: markOf('bench') });

const routeOf = ({ method, path }: Contract) => `${method} ${path}`;

async function send(
  handler: Handler,
  pathParameters: Record<string, string>,
  parts: Pick<Partial<HttpEvent>, 'routeKey' | 'body' | 'queryStringParameters'>,
): Promise<string> {
  const event = {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    pathParameters,
    requestContext: { http: { sourceIp: '127.0.0.1' } },
    isBase64Encoded: false,
    ...parts,
  } as unknown as HttpEvent;
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 20_000 } as Context;
  const { statusCode, body = '' } = await handler(event, context);
  if (statusCode !== 200) throw new Error(`A request for ${JSON.stringify(parts)} returned ${statusCode} ${body}`);
  return body;
}

async function unused(): Promise<undefined> {
  throw new Error('No Flow JSON here is large enough for the bucket');
}
