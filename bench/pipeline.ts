import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, type WorldOptions } from '../local/world.ts';
import { newId } from '../shared/ids.ts';
import { createSecret } from '../shared/notifications/signature.ts';
import { numberStore } from '../shared/storage/numbers.ts';
import { targetStore } from '../shared/storage/targets.ts';
import type { Build } from './build.ts';
import { type Outside, startOutside } from './outside.ts';

/** A number whose webhook is a receiver outside. */
export interface BenchNumber {
  id: string;
  phoneNumberId: string;
  /** Where the upstream's events about it go. */
  events: string;
  appSecret: string;
  receiver: string;
}

export interface Pipeline {
  world: World;
  outside: Outside;
  /** One for each path. */
  createNumbers(paths: readonly string[]): Promise<BenchNumber[]>;
}

/** Runs the work with the whole service and, around it, upstream and receivers. */
export async function withPipeline<Result>(
  { templateFile }: Build,
  options: Pick<WorldOptions, 'dynamoDbUrl' | 'onAwsCall'> & Partial<Pick<WorldOptions, 'onLog'>>,
  work: (pipeline: Pipeline) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-pipeline-'));
  const outside = await startOutside();
  const world = await startWorld({
    templateFile,
    dataDir,
    fresh: false,
    ports: { api: 0, upstream: 0 },
    clockOffsetSeconds: 0,
    onLog: () => {},
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  const createNumbers = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => createNumber(world, outside.receiverUrl + path)));
  try {
    return await work({ world, outside, createNumbers });
  } finally {
    await world.close();
    await outside.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Until every function that takes part has its processes. */
export async function warmUp({ outside }: Pipeline, destinations: readonly BenchNumber[]): Promise<void> {
  await outside.send({ destinations, posts: 100, messagesAPost: 1, pace: { atOnce: 8 } });
}

async function createNumber({ table, description }: World, receiver: string): Promise<BenchNumber> {
  const id = newId();
  const phoneNumberId = String(randomInt(10 ** 13, 10 ** 14));
  await numberStore(table).create({
    id,
    workspace: String(description.workspaces[0]?.id),
    phone_number_id: phoneNumberId,
    display_phone_number: '+15550000000',
    active: true,
    calling_enabled: false,
    created_at: Date.now(),
  });
  await targetStore(table).createSecrets(id, { current: createSecret() });
  await targetStore(table).setUrls(id, { webhook: receiver });
  return {
    id,
    phoneNumberId,
    events: `${description.base_url}/v2/messaging/events`,
    appSecret: description.app_secret,
    receiver,
  };
}
