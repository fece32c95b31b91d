import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as getWebhook } from '#functions/webhooks/get-webhook/contract.ts';
import { contract as listDeliveries } from '#functions/webhooks/list-deliveries/contract.ts';
import { createApp } from '#infra/app.ts';
import { startDatabase } from '#local/database.ts';
import { seededTokens, seededWorkspaces } from '#local/seed.ts';
import { openTable } from '#shared/adapters/dynamodb/table/table.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { loadItems } from '#support/aws/table-cost.ts';
import { newFlow } from '../../support/flows/flow-service.ts';
import { apiClient } from '../../support/http/client.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import {
  contact,
  createNumber,
  deliveriesOf,
  envelope,
  expectCleanLog,
  postEvent,
  queueOf,
  soon,
  soonInLog,
  type TestNumber,
  textMessage,
} from '../../support/worlds/delivery-world.ts';
import { newDataDir, startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

/*
 * Walks through "Restoring the table" in docs/restoring.md. The engine cannot recover a table to a point in time, so a
 * copy that is taken while nothing runs stands for the restored one.
 */
const restored = 'messaging-restored';

/** Longer than a message waits in the queue: such a retry waits in the table. */
const environment = { DELIVERY_RETRY_SCHEDULE: '3600' };
/** After that wait, at the longest: jitter adds up to a fifth to it. */
const later = { environment, clockOffsetSeconds: 4_400, sweepSeconds: 1 };

let dataDir: string;
let assembly: string;
let receiver: Receiver;
let number: TestNumber;
let flowBefore: unknown;
let world: TestWorld;

const apiOf = ({ description }: TestWorld) =>
  apiClient(description.base_url, {
    token: seededTokens.owner,
    params: { workspace: String(seededWorkspaces[0]?.id), number: number.id },
  });

async function send(to: TestWorld, text: string): Promise<void> {
  const body = envelope(number, { contacts: [contact], messages: [textMessage(text)] });
  expect(await postEvent(to.description.base_url, body)).toBe(200);
}

/** The texts that the receiver got, in alphabetical order. */
const arrived = () => receiver.received('/hook').map(({ body }) => JSON.parse(String(body)).messages[0].text.body);
const idsOf = (text: string) =>
  receiver
    .received('/hook')
    .filter(({ body }) => body.includes(text))
    .map(({ headers }) => headers['webhook-id']);

const statesIn = async ({ table }: TestWorld) => (await deliveriesOf(table, number)).map(({ state }) => state).sort();

const untilStates = (of: TestWorld, states: string[]) =>
  vi.waitFor(async () => expect(await statesIn(of)).toEqual(states), soonInLog);

/**
 * Starts a world on the data folder. On a busy machine a call to the table can time out: the message then becomes
 * visible again within the test.
 */
async function startWorld(options: Partial<Parameters<typeof startTestWorld>[0]>): Promise<TestWorld> {
  const started = await startTestWorld({ dataDir, ...options });
  const queue = queueOf(started.description, started.administrator);
  await queue.setVisibilityTimeout(20);
  queue.close();
  return started;
}

/** Synthesises the stack with the settings. Returns the file of the template. */
function synthesised(name: string, context: Record<string, string>): string {
  const outdir = join(assembly, name);
  createApp({ context, functionsDirectory: inject('functionsDirectory'), outdir }).synth();
  return join(outdir, 'messaging-dev.template.json');
}

/** The template with both event source mappings gone, as if they were disabled. */
function withoutDeliveries(templateFile: string): string {
  const template = JSON.parse(readFileSync(templateFile, 'utf8'));
  const others = Object.entries<{ Type: string }>(template.Resources).filter(
    ([, { Type }]) => Type !== 'AWS::Lambda::EventSourceMapping' && Type !== 'AWS::Events::Rule',
  );
  writeFileSync(templateFile, JSON.stringify({ ...template, Resources: Object.fromEntries(others) }));
  return templateFile;
}

/** Copies the table, while no world runs. */
async function copyTable(): Promise<void> {
  const engine = await startDatabase(join(dataDir, 'dynamodb'), process.env.AWS_ENDPOINT_URL_DYNAMODB);
  const credentials = { accessKeyId: engine.accessKeyId, secretAccessKey: 'local' };
  const connection = { endpoint: engine.url, region: 'us-east-1', credentials };
  const client = new DynamoDBClient(connection);
  const [from, to] = [openTable('Table', connection), openTable(restored, connection)];
  const { Table: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [] } = {} } = await client.send(
    new DescribeTableCommand({ TableName: from.name }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: restored,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions,
      KeySchema,
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
        IndexName: index.IndexName,
        KeySchema: index.KeySchema,
        Projection: index.Projection,
      })),
    }),
  );
  await loadItems(to, await Array.fromAsync(scanItems(from, {})));
  for (const one of [client, from.client, to.client]) one.destroy();
  await engine.close();
}

beforeAll(async () => {
  dataDir = await newDataDir();
  assembly = mkdtempSync(join(tmpdir(), 'restored-table-'));
  receiver = await startReceiver();

  // Until the restore point: one notification is delivered, one waits for its second attempt.
  const before = await startWorld({ environment });
  number = await createNumber(before.table, { webhook: `${receiver.url}/hook` });
  flowBefore = await apiOf(before).succeed(createFlow, { body: newFlow() });
  await send(before, 'canary delivered before');
  await untilStates(before, ['delivered']);
  receiver.script('/hook', [{ status: 503 }, {}]);
  await send(before, 'canary waiting');
  await untilStates(before, ['delivered', 'waiting']);
  await before.close();
  expectCleanLog(before);
  await copyTable();

  // What happens after the restore point is lost with the old table.
  const after = await startWorld(later);
  await untilStates(after, ['delivered', 'delivered']);
  await apiOf(after).succeed(createFlow, { body: newFlow() });
  await send(after, 'canary delivered after');
  await untilStates(after, ['delivered', 'delivered', 'delivered']);
  receiver.script('/hook', [{ status: 503 }, {}]);
  await send(after, 'canary failed after');
  await untilStates(after, ['delivered', 'delivered', 'delivered', 'waiting']);
  await after.close();
  expectCleanLog(after);

  // Deliveries are stopped, and events still come in.
  const templateFile = withoutDeliveries(synthesised('stopped', {}));
  const stopped = await startWorld({ ...later, templateFile });
  await send(stopped, 'canary queued');
  await stopped.close();
  expectCleanLog(stopped);

  world = await startWorld({
    ...later,
    templateFile: synthesised('restored', { existingTable: restored, existingSecret: 'kept/upstream' }),
  });
});
afterAll(async () => {
  await world?.close();
  await receiver.close();
  for (const folder of [dataDir, assembly]) rmSync(folder, { recursive: true, force: true });
});

describe('a stack that is deployed with a restored table', () => {
  it('uses that table and the kept secret', () => {
    expect(world.description.aws).toMatchObject({ table_name: restored, upstream_secret: 'kept/upstream' });
  });

  it('has the state of the restore point', async () => {
    const api = apiOf(world);
    expect((await api.succeed(listFlows)).data).toEqual([flowBefore]);
    expect(await api.succeed(getWebhook)).toMatchObject({ webhook: number.webhook });
  });

  it('delivers the queued messages, repeats what waited at the restore point, and does not know later changes', async () => {
    await expect.poll(() => statesIn(world), soonInLog).toEqual(['delivered', 'delivered', 'delivered']);
    expect((await apiOf(world).succeed(listDeliveries)).data).toHaveLength(3);
    expect(arrived().sort()).toEqual([
      'canary delivered after',
      'canary delivered before',
      'canary failed after',
      'canary queued',
      'canary waiting',
      'canary waiting',
      'canary waiting',
    ]);
    expect(new Set(idsOf('canary waiting')).size).toBe(1);
    const queue = queueOf(world.description, world.administrator);
    await expect.poll(() => queue.count(), soon).toEqual({ visible: 0, hidden: 0 });
    expect(await queue.deadLetters()).toBe(0);
    queue.close();
  });

  it('delivers new notifications and takes changes', async () => {
    await send(world, 'canary new');
    await expect.poll(() => arrived().includes('canary new'), soon).toBe(true);
    const flow = await apiOf(world).succeed(createFlow, { body: newFlow() });
    expect((await apiOf(world).succeed(listFlows)).data).toEqual(expect.arrayContaining([flow, flowBefore]));
    expectCleanLog(world);
  });
});
