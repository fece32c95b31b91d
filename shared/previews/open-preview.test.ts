import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestTable, type TestTable } from '../../test/support/dynamodb.ts';
import { draft } from '../../test/support/fake-flow-context.ts';
import type { FlowRecord } from '../flows/flow.ts';
import { newId } from '../ids.ts';
import { flowStore } from '../storage/flows.ts';
import { keys } from '../storage/keys.ts';
import { previewStore } from '../storage/previews.ts';
import { findPreview, isUnlocked, type PreviewContext, unlock } from './open-preview.ts';
import { hashSecret, isLocked, type PreviewRecord } from './preview.ts';

const now = Date.UTC(2026, 0, 31, 8, 15, 30, 123);
const secret = '012345';

let dynamodb: TestTable;
let context: PreviewContext;

beforeAll(async () => {
  dynamodb = await startTestTable();
  context = { previews: previewStore(dynamodb.table), flows: flowStore(dynamodb.table), now: () => now };
});
afterAll(() => dynamodb.close());

async function newPreview(members: Partial<PreviewRecord> = {}, ofFlow: Partial<FlowRecord> = {}) {
  const flow = { ...draft, id: newId(), workspace: newId(), ...ofFlow };
  const id = newId();
  const preview: PreviewRecord = {
    id,
    workspace: flow.workspace,
    flow: flow.id,
    number: newId(),
    secret_hash: hashSecret(id, secret),
    generation: flow.preview_generation,
    valid_until: now + 1,
    created_at: 0,
    ...members,
  };
  const { client, name } = dynamodb.table;
  await client.send(new PutCommand({ TableName: name, Item: { ...keys.flow(flow.workspace, flow.id), ...flow } }));
  await client.send(new PutCommand({ TableName: name, Item: { ...keys.preview(id), ...preview } }));
  return preview;
}

const guesses = (preview: PreviewRecord, guess: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => unlock(context, preview, guess)));

const outcomes = (unlockings: readonly { outcome: string }[]) => unlockings.map(({ outcome }) => outcome).toSorted();

describe('findPreview', () => {
  it('gives a good preview with its Flow', async () => {
    const preview = await newPreview();
    expect(await findPreview(context, preview.id.toUpperCase())).toMatchObject({ preview, flow: { id: preview.flow } });
  });

  it('gives none that is unknown, over or invalidated, or whose Flow is gone or not yet made', async () => {
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

describe('unlock', () => {
  it('opens a session to the right secret, and to that session only', async () => {
    const preview = await newPreview();
    const other = await newPreview();
    const unlocking = await unlock(context, preview, secret);
    const session = unlocking.outcome === 'unlocked' ? unlocking.session : '';
    const opened = (await findPreview(context, preview.id))?.preview ?? preview;
    expect(isUnlocked(opened, session)).toBe(true);
    expect(isUnlocked(opened, undefined)).toBe(false);
    expect(isUnlocked(opened, `${session}x`)).toBe(false);
    expect(isUnlocked({ ...opened, id: other.id }, session)).toBe(false);
    expect(JSON.stringify([...(opened.sessions ?? [])])).not.toContain(session);
  });

  it('refuses what is not the secret', async () => {
    const preview = await newPreview();
    for (const guess of ['', '012344', '12345', ' 012345', '０１２３４５']) {
      expect(await unlock(context, preview, guess)).toEqual({ outcome: 'wrong' });
    }
  });

  it('is locked after ten wrong secrets, to the right one too', async () => {
    const preview = await newPreview();
    for (let tries = 0; tries < 10; tries++) {
      expect(await unlock(context, preview, '000000')).toEqual({ outcome: 'wrong' });
    }
    expect(await unlock(context, preview, secret)).toEqual({ outcome: 'locked' });
    expect(isLocked((await findPreview(context, preview.id))?.preview ?? preview)).toBe(true);
  });

  it('lets no more than ten of many guesses at once be looked at', async () => {
    const preview = await newPreview();
    const many = await guesses(preview, '000000', 40);
    expect(outcomes(many)).toEqual([...Array(30).fill('locked'), ...Array(10).fill('wrong')]);
  });

  it('does not count right secrets', async () => {
    const preview = await newPreview();
    await guesses(preview, '000000', 9);
    for (let times = 0; times < 12; times++) {
      expect(await unlock(context, preview, secret)).toMatchObject({ outcome: 'unlocked' });
    }
    expect(await unlock(context, preview, '000000')).toEqual({ outcome: 'wrong' });
    expect(await unlock(context, preview, secret)).toEqual({ outcome: 'locked' });
  });

  it('finds nothing where the preview went meanwhile', async () => {
    const preview = await newPreview();
    expect(await unlock(context, { ...preview, id: newId() }, secret)).toEqual({ outcome: 'locked' });
  });
});
