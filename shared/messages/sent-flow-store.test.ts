import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { newSentFlow } from '#support/fakes/fake-sent-flows.ts';
import { forAllTests } from '#support/for-tests.ts';
import type { SentFlow } from './sent-flow.ts';
import { sentFlowStore } from './sent-flow-store.ts';
import { recordStep } from './track-sent-flow.ts';

const dynamodb = forAllTests(() => startTestTable());
const store = forAllTests(() => sentFlowStore(dynamodb.table));

async function prepare(flow: string, changes: Partial<SentFlow> = {}): Promise<SentFlow> {
  const { message: _, ...sent } = newSentFlow({ flow, workspace: newId() }).sent;
  const prepared: SentFlow = { ...sent, stage: 'prepared', expires_at: 1_800_000_000_000, ...changes };
  await store.create(prepared);
  return prepared;
}

const funnelOf = async (flow: string) => {
  const { screens, ...counts } = await store.readFunnel(flow);
  return { ...counts, screens: Object.fromEntries(screens) };
};

describe('sent Flows', () => {
  it('are found by the hash of their token, and deleted thirty days after the token has expired', async () => {
    const sent = await prepare(newId());
    expect(await store.find(sent.token_hash)).toEqual(sent);
    expect(await store.find('0'.repeat(64))).toBeUndefined();
    const { client, name } = dynamodb.table;
    const { Item } = await client.send(new GetCommand({ TableName: name, Key: keys.sentFlow(sent.token_hash) }));
    expect(Item?.expires_at_seconds).toBe(1_800_000_000 + 30 * 24 * 3600);
  });

  it('are found by their message as soon as it is known', async () => {
    const sent = await prepare(newId());
    expect(await store.findByMessage('wamid.A+/=')).toBeUndefined();
    await recordStep(sent, { stage: 'sent', message: 'wamid.A+/=' }, store);
    expect(await store.findByMessage('wamid.A+/=')).toMatchObject({ token_hash: sent.token_hash, stage: 'sent' });
  });

  it('are removed only while they are prepared', async () => {
    const [unsent, sent] = [await prepare(newId()), await prepare(newId())];
    await recordStep(sent, { stage: 'sent', message: 'wamid.1' }, store);
    await Promise.all([store.remove(unsent.token_hash), store.remove(sent.token_hash)]);
    expect(await store.find(unsent.token_hash)).toBeUndefined();
    expect(await store.find(sent.token_hash)).toMatchObject({ stage: 'sent', message: 'wamid.1' });
  });

  it('forget the last screen when they are completed', async () => {
    const sent = await prepare(newId());
    await recordStep(sent, { stage: 'opened', screen: 'DATE' }, store);
    expect(await store.find(sent.token_hash)).toMatchObject({ stage: 'opened', screen: 'DATE', revision: 2 });
    await recordStep(sent, { stage: 'completed' }, store);
    expect(await store.find(sent.token_hash)).not.toHaveProperty('screen');
  });

  it('do not come back when a step arrives after they were removed', async () => {
    const sent = await prepare(newId());
    await store.remove(sent.token_hash);
    await recordStep(sent, { stage: 'completed' }, store);
    expect(await store.find(sent.token_hash)).toBeUndefined();
    expect(await funnelOf(sent.flow)).toMatchObject({ sent: 0, completed: 0 });
  });
});

describe('the funnel', () => {
  it('is empty for a Flow that was never sent', async () => {
    expect(await funnelOf(newId())).toEqual({ sent: 0, opened: 0, completed: 0, screens: {} });
  });

  it('counts each step once, however often and however much at the same time it is recorded', async () => {
    const flow = newId();
    const sent = await Promise.all(Array.from({ length: 12 }, () => prepare(flow)));
    await Promise.all(
      sent.flatMap((one, index) => {
        const screen = index % 3 === 0 ? '__proto__' : 'DATE';
        const steps = [
          { stage: 'sent', message: `wamid.${index}` },
          { stage: 'opened', screen },
          { stage: 'opened', screen },
          ...(index < 4 ? ([{ stage: 'completed' }, { stage: 'completed' }] as const) : []),
        ] as const;
        return steps.map((step) => recordStep(one, step, store));
      }),
    );
    expect(await store.readFunnel(flow)).toEqual({
      sent: 12,
      opened: 12,
      completed: 4,
      screens: new Map([
        ['__proto__', 2],
        ['DATE', 6],
      ]),
    });
    const messages = await Promise.all(sent.map(async ({ token_hash }) => (await store.find(token_hash))?.message));
    expect(messages).toEqual(sent.map((_, index) => `wamid.${index}`));
  });

  it('leaves out drafts and other Flows', async () => {
    const flow = newId();
    await recordStep(await prepare(flow, { draft: true }), { stage: 'opened', screen: 'DATE' }, store);
    await recordStep(await prepare(newId()), { stage: 'completed' }, store);
    expect(await funnelOf(flow)).toEqual({ sent: 0, opened: 0, completed: 0, screens: {} });
  });
});
