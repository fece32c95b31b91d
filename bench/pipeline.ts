import { randomInt } from 'node:crypto';
import type { World } from '#local/world.ts';
import { numberStore } from '#shared/adapters/dynamodb/numbers.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { newId } from '#shared/base/ids.ts';
import { createSecret } from '#shared/domain/signing/webhook-signature.ts';
import { type BenchWorldOptions, withWorld } from './bench-world.ts';
import type { Build } from './build.ts';
import { type Outside, startOutside } from './outside.ts';

/** A number whose webhook is one of the receivers outside. */
export interface BenchNumber {
  id: string;
  phoneNumberId: string;
  /** The address for the upstream's events about the number. */
  events: string;
  appSecret: string;
  receiver: string;
}

export interface Pipeline {
  world: World;
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
  const outside = await startOutside();
  try {
    return await withWorld(build, options, (world) => {
      const createNumbers = (paths: readonly string[]) =>
        Promise.all(paths.map((path) => createNumber(world, outside.receiverUrl + path)));
      return work({ world, outside, createNumbers });
    });
  } finally {
    await outside.close();
  }
}

/** Sends messages so that every function involved has started its processes. */
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
