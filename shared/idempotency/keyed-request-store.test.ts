import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type KeyedRequest, keyedRequestStore } from './keyed-request-store.ts';

const world = forAllTests(() => startTestTable());
const store = forAllTests(() => keyedRequestStore(world.table));

const response = { status: 201, headers: { location: 'https://example.com' }, body: '{"secret":"123456"}' };

const newRequest = (members: Partial<KeyedRequest> = {}): KeyedRequest => ({
  body: 'b'.repeat(64),
  earlier: [],
  lease: { holder: newId(), until: 2_000 },
  expires_at: 10_000,
  ...members,
});

describe('the store of keyed requests', () => {
  it('lets one request claim a key, and tells the others who did', async () => {
    const key = newId();
    const requests = Array.from({ length: 5 }, () => newRequest());
    const stored = await Promise.all(requests.map((request) => store.claim(key, request, 1_000)));
    const winners = requests.filter(({ lease }, index) => stored[index]?.lease.holder === lease.holder);
    expect(winners).toHaveLength(1);
    expect(stored).toEqual(requests.map(() => winners[0]));
  });

  it('recognises its own claim when the client repeats it', async () => {
    const [key, request] = [newId(), newRequest()];
    await store.claim(key, request, 1_000);
    expect(await store.claim(key, request, 1_000)).toEqual(request);
  });

  it('counts an expired request as absent, and has DynamoDB remove it', async () => {
    const [key, old, next] = [newId(), newRequest(), newRequest({ expires_at: 20_500 })];
    await store.claim(key, old, 1_000);
    await store.keep(key, old.lease.holder, response);
    expect(await store.claim(key, next, 9_999)).toEqual({ ...old, response });
    expect(await store.claim(key, next, 10_000)).toEqual(next);
    const { Item } = await world.table.client.send(
      new GetCommand({ TableName: world.table.name, Key: keys.keyedRequest(key) }),
    );
    expect(Item).toMatchObject({ expires_at_seconds: 21 });
    expect(Item).not.toHaveProperty('response');
  });

  it('keeps a response for its run only', async () => {
    const [key, request] = [newId(), newRequest()];
    await store.claim(key, request, 1_000);
    await store.keep(key, newId(), response);
    expect(await store.claim(key, newRequest(), 1_000)).toEqual(request);
    await store.keep(key, request.lease.holder, response);
    expect(await store.claim(key, newRequest(), 1_000)).toEqual({ ...request, response });
  });

  it('lets one request take over from a run without a response', async () => {
    const [key, dead] = [newId(), newRequest()];
    await store.claim(key, dead, 1_000);
    const heirs = [newRequest({ earlier: [dead.lease.holder] }), newRequest({ earlier: [dead.lease.holder] })];
    const results = await Promise.all(heirs.map((heir) => store.takeOver(key, heir, dead.lease.holder)));
    expect(results.toSorted()).toEqual([false, true]);
    const heir = heirs[results.indexOf(true)] as KeyedRequest;
    expect(await store.takeOver(key, heir, dead.lease.holder), 'the client repeats the write').toBe(true);
    await store.keep(key, dead.lease.holder, response);
    await store.release(key, dead.lease.holder);
    await store.abandon(key, dead.lease.holder);
    expect(await store.claim(key, newRequest(), 1_000), 'the dead run writes nothing more').toEqual(heir);
  });

  it('does not let a request take over from a run with a response', async () => {
    const [key, request] = [newId(), newRequest()];
    await store.claim(key, request, 1_000);
    await store.keep(key, request.lease.holder, response);
    expect(await store.takeOver(key, newRequest(), request.lease.holder)).toBe(false);
  });

  it('ends a run without a response, and frees a key', async () => {
    const [key, request, next] = [newId(), newRequest(), newRequest()];
    await store.claim(key, request, 1_000);
    await store.abandon(key, request.lease.holder);
    expect(await store.claim(key, next, 1_000)).toEqual({ ...request, lease: { ...request.lease, until: 0 } });
    await store.release(key, request.lease.holder);
    expect(await store.claim(key, next, 1_000)).toEqual(next);
  });
});
