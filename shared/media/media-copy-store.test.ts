import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { leaseMs } from '#shared/base/time-limits.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { mediaCopyStore, type ReadyCopy, validForMs } from './media-copy-store.ts';

const engine = forAllTests(() => startTestTable());
const copies = forAllTests(() => mediaCopyStore(engine.table));

const now = Date.UTC(2026, 0, 31);
const newKey = () => ({ number: newId(), media: '1037543291543636' });
const ready: ReadyCopy = { state: 'ready', blob: 'media/1', mime_type: 'video/mp4', sha256: 'ab'.repeat(32), size: 9 };

describe('a copy', () => {
  it('is claimed by one of many processes', async () => {
    const key = newKey();
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => copies.claim(key, `holder-${n}`, now)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const holder = `holder-${claims.indexOf(true)}`;
    expect(await copies.read(key, now)).toEqual({ state: 'copying', lease: { holder, until: now + leaseMs } });
  });

  it('may be claimed again by its holder, whose client may have repeated the write', async () => {
    const key = newKey();
    expect(await copies.claim(key, 'one', now)).toBe(true);
    expect(await copies.claim(key, 'one', now)).toBe(true);
    expect(await copies.claim(key, 'two', now)).toBe(false);
    await copies.storeOutcome(key, 'one', { state: 'failed' }, now);
    expect(await copies.claim(key, 'one', now)).toBe(false);
  });

  it('a copy belongs to one number', async () => {
    const key = newKey();
    await copies.claim(key, 'one', now);
    expect(await copies.read({ ...key, number: newId() }, now)).toBe(undefined);
  });

  it('is ready for a day, and can then be made by any process', async () => {
    const key = newKey();
    await copies.claim(key, 'one', now);
    expect(await copies.storeOutcome(key, 'one', ready, now)).toBe(true);
    const until = now + validForMs.ready;
    expect(await copies.read(key, until - 1)).toEqual({ ...ready, until });
    expect(await copies.claim(key, 'two', until - 1)).toBe(false);
    expect(await copies.read(key, until)).toBe(undefined);
    expect(await copies.claim(key, 'two', until)).toBe(true);
  });

  it.each([undefined, 'altered' as const])('that failed (%s) is not tried again for some seconds', async (fault) => {
    const key = newKey();
    await copies.claim(key, 'one', now);
    await copies.storeOutcome(key, 'one', { state: 'failed', fault }, now);
    const until = now + validForMs.failed;
    expect(await copies.read(key, now)).toEqual({ state: 'failed', until, ...(fault && { fault }) });
    expect(await copies.claim(key, 'two', until - 1)).toBe(false);
    expect(await copies.claim(key, 'two', until)).toBe(true);
  });

  it('is taken over when its lease has expired, and its first holder can no longer store an outcome', async () => {
    const key = newKey();
    await copies.claim(key, 'one', now);
    const later = now + leaseMs;
    expect(await copies.claim(key, 'two', later - 1)).toBe(false);
    expect(await copies.claim(key, 'two', later)).toBe(true);
    expect(await copies.storeOutcome(key, 'one', ready, later)).toBe(false);
    expect(await copies.read(key, later)).toMatchObject({ state: 'copying', lease: { holder: 'two' } });
    expect(await copies.storeOutcome(key, 'two', ready, later)).toBe(true);
    expect(await copies.storeOutcome(key, 'two', { state: 'failed' }, later)).toBe(false);
  });
});
