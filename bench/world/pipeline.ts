import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptAdministrator } from '#local/aws/stack/credentials.ts';
import type { World } from '#local/world.ts';
import { openTable } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { type Build, buildInto } from '../build.ts';
import { type BenchWorldOptions, withWorld } from './bench-world.ts';
import { startLocalWorld } from './local-world.ts';
import { type Outside, startOutside } from './outside.ts';
import type { Destination } from './outside-worker.ts';

/** A number whose webhook is one of the receivers outside. */
export interface BenchNumber extends Destination {
  id: string;
}

export interface Pipeline {
  world: Pick<World, 'table' | 'description'>;
  outside: Outside;
  /** Creates one number for each path. */
  createNumbers(paths: readonly string[]): Promise<BenchNumber[]>;
}

/** Runs the work with the whole service, the upstream and the receivers. */
export async function withPipeline<Result>(
  build: Build,
  options: BenchWorldOptions,
  work: (pipeline: Pipeline) => Promise<Result>,
): Promise<Result> {
  return withOutside((outside) => withWorld(build, options, (world) => work(pipelineOf(world, outside))));
}

/** The service in a process of its own. */
export type LocalPipeline = Pipeline & { pid: number };

/**
 * The same with `npm start`, in a process of its own, so that its memory and processor time can be distinguished from
 * the load's. It never sweeps: a sweep costs the same however many notifications there are.
 *
 * @param change changes the build that is served
 */
export async function withLocalWorld<Result>(
  work: (pipeline: LocalPipeline) => Promise<Result>,
  change: (build: Build) => Promise<void> = async () => {},
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-local-'));
  try {
    await change(await buildInto(join(dataDir, 'build')));
    return await withOutside(async (outside) => {
      const { pid, description, close } = await startLocalWorld(dataDir, { SWEEP_SECONDS: '3600' });
      const { region, dynamodb, table_name } = description.aws;
      const table = openTable(table_name, {
        endpoint: dynamodb,
        region,
        credentials: keptAdministrator(join(dataDir, 'data')),
      });
      try {
        return await work({ pid, ...pipelineOf({ table, description }, outside) });
      } finally {
        table.client.destroy();
        await close();
      }
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function withOutside<Result>(work: (outside: Outside) => Promise<Result>): Promise<Result> {
  const outside = await startOutside();
  try {
    return await work(outside);
  } finally {
    await outside.close();
  }
}

function pipelineOf(world: Pipeline['world'], outside: Outside): Pipeline {
  const createNumbers = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => createNumber(world, outside.receiverUrl + path)));
  return { world, outside, createNumbers };
}

/** Sends messages so that every function involved has started its processes. */
export async function warmUp({ outside }: Pipeline, destinations: readonly BenchNumber[]): Promise<void> {
  await outside.send({ destinations, posts: 100, messagesAPost: 1, pace: { atOnce: 8 } });
}

async function createNumber({ table, description }: Pipeline['world'], receiver: string): Promise<BenchNumber> {
  const id = newId();
  const workspace = String(description.workspaces[0]?.id);
  const phoneNumberId = String(randomInt(10 ** 13, 10 ** 14));
  await numberStore(table).create({
    id,
    workspace,
    phone_number_id: phoneNumberId,
    display_phone_number: '+15550000000',
    active: true,
    calling_enabled: false,
    created_at: Date.now(),
  });
  await targetStore(table).setUrls(id, { webhook: receiver });
  return {
    id,
    phoneNumberId,
    events: `${description.base_url}/v2/messaging/events`,
    appSecret: description.app_secret,
  };
}
