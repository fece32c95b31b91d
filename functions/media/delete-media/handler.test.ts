import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upstreamMedia } from '#shared/adapters/graph/media.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { startUploadWorld, type UploadWorld } from '#support/worlds/upload-world.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

const log = captureLog();

let world: UploadWorld;
beforeAll(async () => {
  world = await startUploadWorld();
});
afterAll(() => world.close());

function remove(id: string, number = world.number) {
  const upstream = () => upstreamMedia(world.graph());
  const { copies } = world;
  const operation = { contract, makeHandler: () => makeHandler({ ...world.dependencies, upstream, copies }) };
  return world.call(operation, number, { pathParameters: { id } });
}

const add = async () => (await world.platform.control('POST', '/media', {})).json.id as string;
const exists = async (id: string) => (await world.files()).some((file) => file.id === id);

describe('delete-media', () => {
  it('deletes the file at the platform', async () => {
    const id = await add();
    expect((await remove(id)).status).toBe(204);
    expect(await exists(id)).toBe(false);
    expect(log).toContainEqual(expect.objectContaining({ event: 'media.deleted', media: id }));
    expect((await remove(id)).status).toBe(404);
  });

  it('ends the use of a copy in the bucket', async () => {
    const id = await add();
    const key = { number: world.number.id, media: id };
    await world.copies.claim(key, 'one', world.clock.now);
    await remove(id);
    expect(await world.copies.read(key, world.clock.now)).toBe(undefined);
  });

  it('leaves the files of other numbers alone', async () => {
    const id = await add();
    expect((await remove(id, await world.newNumber())).status).toBe(404);
    expect(await exists(id)).toBe(true);
  });

  it('deletes nothing else that the platform has under an id', async () => {
    const flow = await world.platform.createFlow();
    expect((await remove(flow)).status).toBe(404);
    expect(await world.platform.statusOf(flow)).toBe('DRAFT');
  });

  it.each(['..', '../me', '1/../me', '', '1?x=1'])('takes %j for no id', async (id) => {
    expect((await remove(id)).status).toBe(404);
  });
});
