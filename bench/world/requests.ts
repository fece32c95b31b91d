import type { World } from '#local/world.ts';
import { startMemoryEngine } from '#support/aws/memory-engine.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { elapsed, median, quantile } from '../report/statistics.ts';
import { withWorld } from './bench-world.ts';
import { startCountingProxy } from './counting-proxy.ts';

const warmUp = 20;
const repetitions = 200;

interface Operation {
  name: string;
  method: string;
  path: string;
  body?: () => unknown;
}

/**
 * Sends requests to the running local world, one after the other, and measures their duration and their DynamoDB calls.
 */
export async function measureRequests(build: Build): Promise<Figure[]> {
  const engine = await startMemoryEngine();
  const dynamoDb = await startCountingProxy(engine.url);
  try {
    return await withWorld(build, { dynamoDbUrl: dynamoDb.url }, async (world) => {
      const figures: Figure[] = [];
      for (const operation of await operations(world)) {
        const send = () => request(world, operation);
        for (let sent = 0; sent < warmUp; sent++) await send();
        dynamoDb.take();
        await send();
        const calls = dynamoDb.take().map(({ name }) => name);
        const times: number[] = [];
        for (let sent = 0; sent < repetitions; sent++) times.push(await elapsed(send));
        figures.push(
          { what: `${operation.name}, warm, median`, value: median(times), unit: 'ms' },
          { what: `${operation.name}, warm, p95`, value: quantile(times, 0.95), unit: 'ms' },
          { what: `${operation.name}: ${calls.join(', ')}`, value: calls.length, unit: 'DynamoDB calls' },
        );
      }
      return figures;
    });
  } finally {
    await dynamoDb.close();
    await engine.close();
  }
}

/** Lists twenty Flows, reads one, creates one and renames one. */
async function operations(world: World): Promise<Operation[]> {
  const path = `/v2/workspaces/${world.description.workspaces[0]?.id}/flows`;
  let created = 0;
  const body = () => ({ name: `Flow ${created++}`, categories: [3] });
  const create: Operation = { name: 'create-flow', method: 'POST', path, body };
  for (let flow = 0; flow < 19; flow++) await request(world, create);
  const { id } = (await request(world, create)) as { id: string };
  return [
    { name: 'list-flows, 20 of them', method: 'GET', path: `${path}?limit=20` },
    { name: 'get-flow', method: 'GET', path: `${path}/${id}` },
    create,
    { name: 'update-flow', method: 'PUT', path: `${path}/${id}`, body },
  ];
}

async function request(world: World, { name, method, path, body }: Operation): Promise<unknown> {
  const response = await fetch(world.description.base_url + path, {
    method,
    headers: { authorization: `Bearer ${world.description.tokens.owner}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body()) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} answered ${response.status} ${text}`);
  return JSON.parse(text);
}
