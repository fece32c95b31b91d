import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '#functions/operations.ts';
import type { World } from '#local/world.ts';
import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { dynamicFlowJson } from '#support/flows/dynamic-flow.ts';
import type { BenchWorldOptions } from '../world/bench-world.ts';
import type { Pipeline } from '../world/pipeline.ts';
import { startEndpoint } from './flow-endpoint.ts';

/** Drives a function until there is enough. */
export type Load = (isEnough: () => boolean) => Promise<void>;

export interface LoadOptions {
  /** The messages in a request of the upstream. */
  messagesAPost: number;
  /** Replaces the operation's path, from `/v2` on. */
  path?: string | undefined;
  /** The body of a request, as JSON. Each `#` becomes the number of the request. */
  body?: string | undefined;
}

/** The functions that are not operations of the API, or whose requests have to be signed. */
const ownLoads: Readonly<Record<string, (pipeline: Pipeline, options: LoadOptions) => Promise<Load>>> = {
  'receive-events': events,
  'deliver-notifications': events,
  'sweep-deliveries': sweeps,
  'exchange-flow-data': exchanges,
};

const deadTargets = 100;

/** Lets sweeps follow each other at once if they are what is profiled. */
export const worldOptionsFor = (name: string): BenchWorldOptions =>
  name === 'sweep-deliveries' ? { sweepSeconds: 0.05 } : {};

const defaultBodies: Readonly<Record<string, string>> = {
  'create-flow': '{"name": "Flow #", "categories": [3]}',
  'update-flow': '{"name": "Flow #"}',
};

/** Returns the load that fits a function: events of the upstream, or requests of an operation one after the other. */
export async function loadOf(name: string, pipeline: Pipeline, options: LoadOptions): Promise<Load> {
  const own = ownLoads[name];
  if (own) return own(pipeline, options);
  const contract = operations.find((operation) => operation.name === name);
  if (!contract) throw new Error(`There is no function ${name}`);
  const { method } = contract;
  const path = options.path ?? (await fillIn(contract.path, pipeline.world));
  const body = options.body ?? defaultBodies[name];
  return async (isEnough) => {
    for (let sent = 0; !isEnough(); sent++) {
      await call(pipeline.world, method, path, body?.replaceAll('#', String(sent)));
    }
  };
}

async function events({ createNumbers, outside }: Pipeline, { messagesAPost }: LoadOptions): Promise<Load> {
  const destinations = await createNumbers(['/a']);
  // One after the other, so that one process serves most of them.
  const load = { destinations, posts: 1, messagesAPost, pace: { atOnce: 1 } };
  return async (isEnough) => {
    while (!isEnough()) await outside.send(load);
    // The last notification may have arrived before its delivery process returns.
    await delay(100);
  };
}

/** Each sweep finds the same targets with open circuit breakers, whose next probe is far away. */
async function sweeps({ world, createNumbers }: Pipeline): Promise<Load> {
  const numbers = await createNumbers(Array.from({ length: deadTargets }, (_, index) => `/${index}`));
  const now = Date.now();
  const { open } = breakerStore(world.table);
  await Promise.all(numbers.map(({ id, webhook }) => open(id, 'webhook', now, now + 3_600_000, webhook)));
  return async (isEnough) => {
    while (!isEnough()) await delay(100);
  };
}

/** The simulated phone encrypts and signs each request. */
async function exchanges({ world }: Pipeline): Promise<Load> {
  const flows = `/v2/workspaces/${world.description.workspaces[0]?.id}/flows`;
  const metadata = {
    name: 'Profiled',
    categories: [3],
    endpoint_url: await startEndpoint(),
    endpoint_encrypted: false,
  };
  const { id, wa_id } = await call(world, 'POST', flows, JSON.stringify(metadata));
  await call(world, 'PUT', `${flows}/${id}/json`, JSON.stringify({ json: dynamicFlowJson }));
  await call(world, 'POST', `${flows}/${id}/publish`);
  const url = `${world.description.upstream_url}/simulator/flows/${wa_id}/exchange`;
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"action": "INIT"}' };
  return async (isEnough) => {
    while (!isEnough()) {
      const { status } = (await (await fetch(url, request)).json()) as { status: number };
      if (status !== 200) throw new Error(`The phone got ${status}`);
    }
  };
}

/** Puts the ids of the local world's workspace, its first number and a new Flow into a path. */
async function fillIn(path: string, world: Pipeline['world']): Promise<string> {
  const [workspace, number] = [world.description.workspaces[0]?.id, world.description.numbers[0]?.id];
  const ids: Record<string, string> = { workspace: String(workspace), number: String(number) };
  if (path.includes('{flow}')) {
    const flows = `/v2/workspaces/${workspace}/flows`;
    ids.flow = (await call(world, 'POST', flows, '{"name": "Profiled", "categories": [3]}')).id;
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = ids[name];
    if (value === undefined) throw new Error(`There is no ${name} to put into ${path}: give a path with --path`);
    return value;
  });
}

async function call(
  world: Pick<World, 'description'>,
  method: string,
  path: string,
  body?: string,
  token = world.description.tokens.owner,
) {
  const response = await fetch(world.description.base_url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const content = await response.text();
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${content}`);
  return content.startsWith('{') ? JSON.parse(content) : {};
}
