import { describe, expect, it } from 'vitest';
import { copyPrefix } from '#shared/media/media-copy-store.ts';
import { upstreamMedia } from '#shared/media/media-graph.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startUploadWorld } from '#support/worlds/upload-world.ts';
import { deleteMedia as contract } from './contracts.ts';
import { makeHandler } from './delete-media.ts';

const log = captureLog();

const world = forAllTests(() => startUploadWorld());

const unreachable = () => Promise.reject(new Error('A request was sent'));

function remove(id: string, number = world.number, graph: Parameters<typeof upstreamMedia>[0] = world.graph()) {
  const upstream = () => upstreamMedia(graph);
  const { copies, copiedFiles: bucket } = world;
  const operation = { contract, makeHandler: () => makeHandler({ ...world.dependencies, upstream, copies, bucket }) };
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

  it('deletes every copy in the bucket, and ends one that is being made', async () => {
    const id = await add();
    const key = { number: world.number.id, media: id };
    await world.copies.claim(key, 'one', world.clock.now);
    const others = `media/${world.number.id}/${id}0/x`;
    for (const blob of [`${copyPrefix(key)}a`, `${copyPrefix(key)}b`, others]) world.copied.add(blob);
    await remove(id);
    expect([...world.copied]).toEqual([others]);
    const ready = { state: 'ready', blob: 'x', sha256: '', size: 1 } as const;
    expect(await world.copies.storeOutcome(key, 'one', ready, world.clock.now)).toBe(false);
    expect(await world.copies.read(key, world.clock.now)).toMatchObject({ state: 'failed', fault: 'unknown' });
  });

  it('deletes the copies of a file that the platform no longer has', async () => {
    const key = { number: world.number.id, media: '424242' };
    world.copied.add(`${copyPrefix(key)}a`);
    expect((await remove(key.media)).status).toBe(404);
    expect(world.copied).not.toContain(`${copyPrefix(key)}a`);
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

  it.each(['..', '../me', '1/../me', '', '1?x=1', 'me', 'abc', '1.2', '-1', '١'])('takes %j for no id', async (id) => {
    expect((await remove(id, world.number, unreachable)).status).toBe(404);
  });
});
