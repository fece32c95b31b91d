import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '#functions/operations.ts';
import type { World } from '#local/world.ts';
import type { Pipeline } from '../pipeline.ts';

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

const ofEvents = ['receive-events', 'deliver-notifications'];

const defaultBodies: Readonly<Record<string, string>> = {
  'create-flow': '{"name": "Flow #", "categories": [3]}',
  'update-flow': '{"name": "Flow #"}',
};

/** Returns the load that fits a function: events of the upstream, or requests of an operation one after the other. */
export async function loadOf(name: string, pipeline: Pipeline, options: LoadOptions): Promise<Load> {
  if (ofEvents.includes(name)) return events(pipeline, options);
  const contract = operations.find((operation) => operation.name === name);
  if (!contract) throw new Error(`No load fits ${name}. There is one for ${ofEvents.join(', ')} and every operation`);
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
    // The last notification may have arrived before its consumer returns.
    await delay(100);
  };
}

/** Puts the ids of the local world's workspace, its first number and a new Flow into a path. */
async function fillIn(path: string, world: Pipeline['world']): Promise<string> {
  const [workspace, number] = [world.description.workspaces[0]?.id, world.description.numbers[0]?.id];
  const known: Record<string, string> = { workspace: String(workspace), number: String(number) };
  if (path.includes('{flow}')) {
    const flows = `/v2/workspaces/${workspace}/flows`;
    known.flow = (await call(world, 'POST', flows, '{"name": "Profiled", "categories": [3]}')).id;
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = known[name];
    if (value === undefined) throw new Error(`There is no ${name} to put into ${path}: give a path with --path`);
    return value;
  });
}

async function call(world: Pick<World, 'description'>, method: string, path: string, body?: string) {
  const response = await fetch(world.description.base_url + path, {
    method,
    headers: { authorization: `Bearer ${world.description.tokens.owner}`, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const content = await response.text();
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${content}`);
  return content.startsWith('{') ? JSON.parse(content) : {};
}
