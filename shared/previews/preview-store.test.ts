import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { getRecord } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { draft } from '#support/fakes/fake-flow-context.ts';
import { forAllTests } from '#support/for-tests.ts';
import { createSession, hashSecret, type PreviewRecord } from './preview-access.ts';
import { previewStore } from './preview-store.ts';

const dynamodb = forAllTests(() => startTestTable());
const previews = forAllTests(() => previewStore(dynamodb.table));

async function keptFlow(): Promise<FlowRecord> {
  const flow = { ...draft, id: newId(), workspace: newId() };
  const { client, name } = dynamodb.table;
  await client.send(new PutCommand({ TableName: name, Item: { ...keys.flow(flow.workspace, flow.id), ...flow } }));
  return flow;
}

function newPreview(flow: FlowRecord, generation = flow.preview_generation): PreviewRecord {
  const id = newId();
  const { workspace } = flow;
  const secret_hash = hashSecret(id, '012345');
  const valid_until = 1_800_000_000_500;
  const settings = { number: newId(), secret_hash, session: createSession(), generation, valid_until };
  return { id, workspace, flow: flow.id, ...settings, created_at: 0 };
}

const storedPreview = ({ id }: PreviewRecord) => getRecord<PreviewRecord>(dynamodb.table, keys.preview(id));
const storedFlow = ({ workspace, id }: FlowRecord) => getRecord<FlowRecord>(dynamodb.table, keys.flow(workspace, id));

describe('a preview', () => {
  it('is stored if its Flow is still in the generation that was read, which does not change', async () => {
    const flow = await keptFlow();
    const preview = newPreview(flow);
    expect(await previews.create(preview, flow, false)).toBe(true);
    expect(await storedPreview(preview)).toEqual(preview);
    expect(await storedFlow(flow)).toEqual(flow);
  });

  it('is removed by DynamoDB after its validity has ended, never before', async () => {
    const flow = await keptFlow();
    const preview = newPreview(flow);
    await previews.create(preview, flow, false);
    const { client, name } = dynamodb.table;
    const { Item } = await client.send(new GetCommand({ TableName: name, Key: keys.preview(preview.id) }));
    expect(Item).toMatchObject({ expires_at_seconds: 1_800_000_001 });
  });

  it('starts a new generation of its Flow when it invalidates earlier previews', async () => {
    const flow = await keptFlow();
    const preview = newPreview(flow, 1);
    expect(await previews.create(preview, flow, true)).toBe(true);
    expect(await storedPreview(preview)).toEqual(preview);
    expect(await storedFlow(flow)).toEqual({ ...flow, preview_generation: 1 });
  });

  it.each([true, false])('is not stored if its Flow was deleted meanwhile (invalidating: %s)', async (invalidating) => {
    const flow = { ...draft, id: newId(), workspace: newId() };
    const preview = newPreview(flow);
    expect(await previews.create(preview, flow, invalidating)).toBe(false);
    expect(await storedPreview(preview)).toBeUndefined();
    expect(await storedFlow(flow)).toBeUndefined();
  });

  it.each([true, false])('is not stored in a generation that has ended (invalidating: %s)', async (invalidating) => {
    const flow = await keptFlow();
    await previews.create(newPreview(flow, 1), flow, true);
    const late = newPreview(flow, invalidating ? 1 : 0);
    expect(await previews.create(late, flow, invalidating)).toBe(false);
    expect(await storedPreview(late)).toBeUndefined();
    expect(await storedFlow(flow)).toMatchObject({ preview_generation: 1 });
  });

  it('does not replace an existing preview', async () => {
    const flow = await keptFlow();
    const preview = newPreview(flow);
    await previews.create(preview, flow, false);
    expect(await previews.create({ ...preview, secret_hash: 'other' }, flow, false)).toBe(false);
    expect(await storedPreview(preview)).toEqual(preview);
  });

  it('is the only one stored of many concurrent previews that each invalidate earlier ones', async () => {
    const flow = await keptFlow();
    const many = Array.from({ length: 8 }, () => previews.create(newPreview(flow, 1), flow, true));
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    expect(await storedFlow(flow)).toMatchObject({ preview_generation: 1 });
  });
});
