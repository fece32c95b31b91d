import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { PhoneNumber } from '../accounts/number.ts';
import { type BatchSettings, knownSettings } from './known-settings.ts';
import type { FirstAttempt } from './message.ts';

const id = newId();
let now: number;
let reads: string[];
let version: number;
let settings: ReturnType<typeof knownSettings>;

beforeEach(() => {
  now = Date.UTC(2026, 0, 31);
  reads = [];
  version = 1;
  settings = knownSettings(
    async (number) => {
      reads.push(number);
      return { subscriber: { id: number, settings_version: version } as PhoneNumber, secrets: undefined, breakers: {} };
    },
    () => now,
  );
});

const message = (members: Partial<FirstAttempt> = {}): FirstAttempt => ({
  do: 'deliver',
  number: id,
  target: 'webhook',
  id: newId(),
  kind: 'message',
  payload: { text: '' },
  created_at: now,
  settings_version: 1,
  ...members,
});

const rememberedVersion = (batch: BatchSettings, members: Partial<FirstAttempt> = {}) =>
  batch.remembered(message(members))?.subscriber.settings_version;

describe('current settings', () => {
  it('are read once for all messages of a batch about one number, and again for the next batch', async () => {
    const batch = settings.forBatch();
    await Promise.all([batch.current(id), batch.current(id), batch.current('other'), batch.current(id)]);
    expect(reads).toEqual([id, 'other']);
    version = 2;
    expect((await settings.forBatch().current(id))?.subscriber.settings_version).toBe(2);
    expect(reads).toEqual([id, 'other', id]);
  });
});

describe('cached settings', () => {
  beforeEach(() => settings.forBatch().current(id));

  it('are used for messages of the last second for ten minutes, without a read', () => {
    now += 600_000;
    expect(rememberedVersion(settings.forBatch(), { created_at: now - 1_000 })).toBe(1);
    expect(reads).toHaveLength(1);
    now += 1;
    expect(rememberedVersion(settings.forBatch())).toBeUndefined();
  });

  it.each([
    ['saw a later change', { settings_version: 2 }],
    ['does not say what it saw', { settings_version: undefined }],
    ['is about another number', { number: newId() }],
  ])('are not used for a message that %s', (_, members) => {
    expect(rememberedVersion(settings.forBatch(), members as Partial<FirstAttempt>)).toBeUndefined();
  });

  it('are not used for a message of a backlog, however recently they were read', async () => {
    const created_at = now;
    now += 1_001;
    await settings.forBatch().current(id);
    expect(rememberedVersion(settings.forBatch(), { created_at })).toBeUndefined();
    expect(rememberedVersion(settings.forBatch())).toBe(1);
  });

  it('are used for a message that saw an earlier version', () => {
    expect(rememberedVersion(settings.forBatch(), { settings_version: 0 })).toBe(1);
  });

  it('are as old as the start of their read', async () => {
    const read = Promise.withResolvers<undefined>();
    const slow = knownSettings(
      async (number) => {
        await read.promise;
        return { subscriber: { id: number } as PhoneNumber, secrets: undefined, breakers: {} };
      },
      () => now,
    );
    const reading = slow.forBatch().current(id);
    now += 600_001;
    read.resolve(undefined);
    await reading;
    expect(slow.forBatch().remembered(message({ settings_version: 0 }))).toBeUndefined();
  });

  it('can be cached for many numbers at once', async () => {
    const batch = settings.forBatch();
    for (let count = 0; count < 4_999; count++) await batch.current(newId());
    expect(rememberedVersion(settings.forBatch())).toBe(1);
  });

  it('are cached for a limited number of numbers', async () => {
    const batch = settings.forBatch();
    for (let count = 0; count < 5_000; count++) await batch.current(newId());
    expect(rememberedVersion(settings.forBatch())).toBeUndefined();
  });

  it('are removed when their number is deleted', async () => {
    let there = true;
    const gone = knownSettings(
      async (number) =>
        there ? { subscriber: { id: number } as PhoneNumber, secrets: undefined, breakers: {} } : undefined,
      () => now,
    );
    await gone.forBatch().current(id);
    there = false;
    await gone.forBatch().current(id);
    expect(gone.forBatch().remembered(message({ settings_version: 0 }))).toBeUndefined();
  });
});
