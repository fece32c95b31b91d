import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import type { FlowRecord, LiveFlow } from '#shared/flows/flow.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { workspace } from '#support/fakes/fake-access.ts';
import { draft, now, phoneNumber as number } from '#support/fakes/fake-flow-context.ts';
import { previewOf, secret } from '#support/flows/preview-world.ts';
import { isLocked, isUnlocked, type PreviewRecord } from './preview-access.ts';
import { previewStore } from './preview-store.ts';
import {
  type CreateContext,
  createPreview,
  findPreview,
  type PreviewChoices,
  type PreviewContext,
  unlock,
} from './previews.ts';

const choices: PreviewChoices = { number: number.id, valid_until: 1 };

let kept: PreviewRecord[];
/** The Flow as the store has it. */
let stored: FlowRecord | undefined;
beforeEach(() => {
  kept = [];
  stored = draft;
});

const context: CreateContext = {
  flows: { get: async () => stored },
  numbers: { get: async (id) => (id === number.id ? number : undefined) },
  previews: {
    async create(preview, { preview_generation }) {
      if (preview_generation !== stored?.preview_generation) return false;
      kept.push(preview);
      return true;
    },
  },
  now: () => now,
};

describe('createPreview', () => {
  it.each([false, true])('uses the generation to which another request has moved on (invalidates: %j)', async (all) => {
    stored = { ...draft, preview_generation: 4 };
    await createPreview(workspace, draft, { ...choices, invalidate_previous: all }, context);
    expect(kept.map(({ generation }) => generation)).toEqual([all ? 5 : 4]);
  });
});

describe('unlocking a preview', () => {
  const now = Date.UTC(2026, 0, 31, 8, 15, 30, 123);

  let dynamodb: TestTable;
  let context: PreviewContext;

  beforeAll(async () => {
    dynamodb = await startTestTable();
    context = { previews: previewStore(dynamodb.table), flows: flowStore(dynamodb.table), now: () => now };
  });
  afterAll(() => dynamodb.close());

  async function newPreview(members: Partial<PreviewRecord> = {}, ofFlow: Partial<LiveFlow> = {}) {
    const flow = { ...draft, id: newId(), workspace: newId(), ...ofFlow };
    const preview = previewOf(flow, { valid_until: now + 1, ...members });
    const { client, name } = dynamodb.table;
    await client.send(new PutCommand({ TableName: name, Item: { ...keys.flow(flow.workspace, flow.id), ...flow } }));
    await client.send(new PutCommand({ TableName: name, Item: { ...keys.preview(preview.id), ...preview } }));
    return preview;
  }

  const address = '203.0.113.7';

  const guesses = (preview: PreviewRecord, guess: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => unlock(context, preview, guess, address)));

  describe('findPreview', () => {
    it('returns a valid preview with its Flow', async () => {
      const preview = await newPreview();
      expect(await findPreview(context, preview.id.toUpperCase())).toMatchObject({
        preview,
        flow: { id: preview.flow },
      });
    });

    it('returns nothing if the preview is unknown, expired or invalidated, or its Flow does not exist', async () => {
      const { wa_id: _, ...unmade } = draft;
      const missing = [
        newId(),
        'no-uuid',
        undefined,
        (await newPreview({ valid_until: now })).id,
        (await newPreview({ generation: draft.preview_generation - 1 })).id,
        (await newPreview({ flow: newId() })).id,
      ];
      for (const id of missing) expect(await findPreview(context, id)).toBeUndefined();
      expect(unmade).not.toHaveProperty('wa_id');
    });
  });

  const storedTries = async ({ id }: PreviewRecord) => (await findPreview(context, id))?.preview.wrong_tries ?? 0;

  describe('a session', () => {
    it('is valid only for its own preview, and only unmodified', async () => {
      const preview = await newPreview();
      const other = await newPreview();
      const { session } = preview;
      expect(isUnlocked(preview, session)).toBe(true);
      for (const shown of [undefined, '', `${session}x`, session.slice(1), 'ç'.repeat(43), other.session]) {
        expect(isUnlocked(preview, shown)).toBe(false);
      }
    });
  });

  describe('unlock', () => {
    it('does not count an input that is not six digits as an attempt', async () => {
      const preview = await newPreview();
      for (const guess of ['', '12345', ' 012345', '0123456', '01234a', '０１２３４５', '0'.repeat(10_000)]) {
        expect(await unlock(context, preview, guess, address)).toBe('wrong');
      }
      expect(await storedTries(preview)).toBe(0);
    });

    it('is locked after ten wrong secrets, even for the right one', async () => {
      const preview = await newPreview();
      for (let tries = 0; tries < 10; tries++) expect(await unlock(context, preview, '000000', address)).toBe('wrong');
      expect(await unlock(context, preview, secret, address)).toBe('locked');
      expect(isLocked((await findPreview(context, preview.id))?.preview ?? preview, address)).toBe(true);
    });

    it.each([
      [address, '203.0.113.8'],
      ['2001:db8:0:1::1', '2001:db8:0:2::1'],
    ])('is not locked by %s for %s', async (guesser, other) => {
      const preview = await newPreview();
      for (let tries = 0; tries < 11; tries++) await unlock(context, preview, '000000', guesser);
      expect(await unlock(context, preview, secret, guesser)).toBe('locked');
      expect(await unlock(context, preview, secret, other)).toBe('right');
    });

    it('counts all addresses of an IPv6 network together', async () => {
      const preview = await newPreview();
      const addresses = ['2001:db8::1', '2001:db8:0:0:2::', '2001:db8:0:0:a:b:c:d', '2001:DB8::ffff:1:2'];
      for (let tries = 0; tries < 10; tries++) {
        await unlock(context, preview, '000000', String(addresses[tries % addresses.length]));
      }
      for (const each of addresses) expect(await unlock(context, preview, secret, each)).toBe('locked');
    });

    it('is locked for everybody after a hundred wrong secrets', async () => {
      const preview = await newPreview();
      for (let client = 0; client < 10; client++) {
        const guess = () => unlock(context, preview, '000000', `203.0.113.${client}`);
        await Promise.all(Array.from({ length: 10 }, guess));
      }
      expect(await unlock(context, preview, secret, '198.51.100.1')).toBe('locked');
    });

    it('checks no more than ten of many concurrent guesses', async () => {
      const preview = await newPreview();
      const many = await guesses(preview, '000000', 40);
      expect(many.toSorted()).toEqual([...Array(30).fill('locked'), ...Array(10).fill('wrong')]);
    });

    it('succeeds for all concurrent requests with the right secret, with one attempt left', async () => {
      const preview = await newPreview();
      await guesses(preview, '000000', 9);
      expect(new Set(await guesses(preview, secret, 40))).toEqual(new Set(['right']));
      expect(await storedTries(preview)).toBe(9);
    });

    it('succeeds however often it has succeeded before', async () => {
      const preview = await newPreview();
      // More often than wrong secrets would lock it for everybody.
      for (let round = 0; round < 3; round++) {
        expect(new Set(await guesses(preview, secret, 50))).toEqual(new Set(['right']));
      }
      expect(await unlock(context, preview, secret, address)).toBe('right');
    });

    it('finds nothing if the preview was deleted meanwhile', async () => {
      const preview = await newPreview();
      expect(await unlock(context, { ...preview, id: newId() }, secret, address)).toBe('locked');
    });
  });
});
