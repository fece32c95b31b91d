import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { getRecord } from './table.ts';
import { assign, succeeds } from './write.ts';

describe('the parts of an update', () => {
  it('set, compute and remove attributes, each under an alias', () => {
    expect(assign({ state: 'held', size: 2 }, ['lease'], { first: 'if_not_exists(#first, :size)' })).toEqual({
      UpdateExpression: 'SET #state = :state, #size = :size, #first = if_not_exists(#first, :size) REMOVE #lease',
      ExpressionAttributeNames: { '#state': 'state', '#size': 'size', '#first': 'first', '#lease': 'lease' },
      ExpressionAttributeValues: { ':state': 'held', ':size': 2 },
    });
  });

  it('lead into maps where names have dots', () => {
    const set = { 'breaker.drain.at': 1, 'breaker.probes': 0, at: 2 };
    expect(assign(set, ['breaker.opened_at'], { 'breaker.last_opened_at': '#breaker.#opened_at' })).toEqual({
      UpdateExpression:
        'SET #breaker.#drain.#at = :breaker__drain__at, #breaker.#probes = :breaker__probes, #at = :at, ' +
        '#breaker.#last_opened_at = #breaker.#opened_at REMOVE #breaker.#opened_at',
      ExpressionAttributeNames: {
        '#breaker': 'breaker',
        '#drain': 'drain',
        '#at': 'at',
        '#probes': 'probes',
        '#last_opened_at': 'last_opened_at',
        '#opened_at': 'opened_at',
      },
      ExpressionAttributeValues: { ':breaker__drain__at': 1, ':breaker__probes': 0, ':at': 2 },
    });
  });

  it('give each attribute a value of its own, whether its name has dots or underscores', () => {
    const { ExpressionAttributeValues } = assign({ 'drain.at': 1, drain_at: 2 });
    expect(Object.values(ExpressionAttributeValues ?? {})).toEqual([1, 2]);
  });

  it('leave out what is undefined, but not what is null, false, 0 or empty', () => {
    const { UpdateExpression, ...aliases } = assign({ gone: undefined, no: null, off: false, none: 0, text: '' });
    expect(UpdateExpression).toBe('SET #no = :no, #off = :off, #none = :none, #text = :text');
    expect(aliases).toEqual({
      ExpressionAttributeNames: { '#no': 'no', '#off': 'off', '#none': 'none', '#text': 'text' },
      ExpressionAttributeValues: { ':no': null, ':off': false, ':none': 0, ':text': '' },
    });
  });

  it('have no maps that would be empty, which DynamoDB rejects', () => {
    expect(assign({})).toEqual({ UpdateExpression: '' });
    expect(assign({ gone: undefined })).toEqual({ UpdateExpression: '' });
    expect(assign({}, ['headers.webhook'])).toEqual({
      UpdateExpression: 'REMOVE #headers.#webhook',
      ExpressionAttributeNames: { '#headers': 'headers', '#webhook': 'webhook' },
    });
  });
});

describe('an update in DynamoDB', () => {
  let dynamodb: TestTable;
  beforeAll(async () => {
    dynamodb = await startTestTable();
  });
  afterAll(() => dynamodb.close());

  /** An item with this content, and what updates make of it. */
  async function newItem(content: object) {
    const { client, name: TableName } = dynamodb.table;
    const Key = { pk: newId(), sk: 'item' };
    await client.send(new PutCommand({ TableName, Item: { ...Key, ...content } }));
    return {
      update: (parts: object) => client.send(new UpdateCommand({ TableName, Key, ...parts } as never)),
      read: () => getRecord(dynamodb.table, Key),
    };
  }

  it('changes members of maps, at any depth, and leaves their other members', async () => {
    const { update, read } = await newItem({
      at: 1,
      breaker: { failures: 3, opened_at: 5, drain: { at: 2, token: 'a' } },
    });
    const set = { 'breaker.drain.at': 7, 'breaker.announced': 'opened', at: 8 };
    await update(assign(set, ['breaker.failures'], { 'breaker.last_failures': '#breaker.#failures' }));
    expect(await read()).toEqual({
      at: 8,
      breaker: { opened_at: 5, last_failures: 3, announced: 'opened', drain: { at: 7, token: 'a' } },
    });
    await update(assign({ 'breaker.drain': { token: 'b' } }, ['at', 'breaker.last_failures', 'breaker.unknown']));
    expect(await read()).toEqual({ breaker: { opened_at: 5, announced: 'opened', drain: { token: 'b' } } });
  });

  it('computes from the item before the update, even what the update removes', async () => {
    const { update, read } = await newItem({ breaker: { failures: 3, opened_at: 5 } });
    const computed = {
      'breaker.last_opened_at': '#breaker.#opened_at',
      'breaker.failures': '#breaker.#failures + :breaker__step',
    };
    await update(assign({ 'breaker.step': 2 }, ['breaker.opened_at'], computed));
    expect(await read()).toEqual({ breaker: { failures: 5, step: 2, last_opened_at: 5 } });
  });

  it('is rejected if there is no such map', async () => {
    const { update, read } = await newItem({ other: 1 });
    await expect(update(assign({ 'breaker.failures': 0 }))).rejects.toThrow('path');
    expect(await read()).toEqual({ other: 1 });
  });

  it('can depend on a condition that uses its aliases', async () => {
    const { update, read } = await newItem({ breaker: { probes: 1 } });
    const parts = { ...assign({ 'breaker.probes': 2 }), ConditionExpression: '#breaker.#probes < :breaker__probes' };
    expect(await succeeds(update(parts))).toBe(true);
    expect(await succeeds(update(parts))).toBe(false);
    expect(await read()).toEqual({ breaker: { probes: 2 } });
  });
});
