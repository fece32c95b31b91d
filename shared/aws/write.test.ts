import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type Arguments, type StateMachine, stateMachine, unmet } from '#shared/base/state-machine.ts';
import { deliveryArguments, deliveryMachine } from '#shared/delivery/delivery.ts';
import { breakerMachine } from '#shared/webhooks/breaker.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { loadItems } from '#support/aws/table-cost.ts';
import { canceledFor } from './failures.ts';
import { getRecord } from './table.ts';
import { assign, type Condition, conditionOf, onCondition, succeeds, type Update } from './write.ts';

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

const now = 1_000_000;

let dynamodb: TestTable;
beforeAll(async () => {
  dynamodb = await startTestTable();
});
afterAll(() => dynamodb.close());

/**
 * Compares the compiled condition of every transition with its evaluation in memory, for each of these records. An item
 * is the record itself, or has it `within` an attribute.
 */
async function compare<Name extends string>(
  machine: StateMachine<string, string, Name>,
  records: readonly (object | undefined)[],
  args: Arguments,
  within?: string,
): Promise<{ accepted: number; rejected: number }> {
  const names = Object.keys(machine.transitions) as Name[];
  const counts = { accepted: 0, rejected: 0 };
  const items = records.map((record) => ({ Key: { pk: newId(), sk: 'record' }, record }));
  await loadItems(
    dynamodb.table,
    items.flatMap(({ Key, record }) => (record ? [{ ...Key, ...(within ? { [within]: record } : record) }] : [])),
  );
  for (const name of names) {
    const update = { UpdateExpression: 'SET written = :yes', ExpressionAttributeValues: { ':yes': true } };
    const conditional = onCondition(update, conditionOf(machine, name, args, within ? { within } : {}));
    const keys = items.map(({ Key }) => Key);
    const allowed = await satisfied(keys, conditional);
    for (const [index, { record }] of items.entries()) {
      const isAllowed = unmet(machine, name, record, args).length === 0;
      expect(allowed[index], `${name} of ${JSON.stringify(record)}`).toBe(isAllowed);
      counts[isAllowed ? 'accepted' : 'rejected']++;
    }
  }
  return counts;
}

/** The maximum number of items in one `TransactWriteItems`. */
const maxWrites = 100;

/** Whether each of these items satisfies the condition: DynamoDB says of each why it canceled a transaction. */
async function satisfied(all: readonly object[], conditional: Update & Condition): Promise<boolean[]> {
  const { client, name: TableName } = dynamodb.table;
  const results: boolean[] = [];
  for (let start = 0; start < all.length; start += maxWrites) {
    const keys = all.slice(start, start + maxWrites);
    const TransactItems = keys.map((Key) => ({ Update: { TableName, Key, ...conditional } }));
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      results.push(...keys.map(() => true));
    } catch (error) {
      const reasons = canceledFor(error);
      const isOfCondition = reasons.every((reason) => ['None', 'ConditionalCheckFailed'].includes(reason));
      if (reasons.length === 0 || !isOfCondition) throw error;
      results.push(...reasons.map((reason) => reason === 'None'));
    }
  }
  return results;
}

/** All combinations of the attributes' values. */
function combinations(attributes: Readonly<Record<string, readonly unknown[]>>): object[] {
  return Object.entries(attributes).reduce<object[]>(
    (records, [name, values]) =>
      records.flatMap((record) => values.map((value) => (value === undefined ? record : { ...record, [name]: value }))),
    [{}],
  );
}

const lease = { holder: 'me', until: now };

/** Deliveries that wait or have ended. */
const atRest = combinations({
  id: ['id'],
  state: ['waiting', 'held', 'delivered', 'exhausted', 'discarded'],
  attempt_count: [1, 2],
  replays: [[], ['replay']],
  next_attempt_at: [undefined, now + 5_000, now + 5_001],
  due_key: ['key', 'later'],
});

describe('the condition that a transition is compiled to', () => {
  it('matches the same deliveries in DynamoDB as in the domain, in every state', async () => {
    const sending = combinations({
      id: ['id'],
      state: ['sending'],
      attempt_count: [1, 2],
      replays: [[], ['replay']],
      lease: [
        lease,
        { ...lease, until: now + 1 },
        { ...lease, replay: 'replay' },
        { ...lease, until: now + 1, replay: 'replay' },
        { ...lease, holder: 'other', replay: 'other' },
      ],
    });
    const args = deliveryArguments({ now, attempt_count: 1, replay: 'replay', holder: 'me', due_key: 'key' });
    const { accepted, rejected } = await compare(deliveryMachine, [undefined, ...sending, ...atRest], args);
    expect(accepted).toBeGreaterThan(100);
    expect(rejected).toBeGreaterThan(100);
  });

  it('matches the same circuit breakers in DynamoDB as in the domain, in every state', async () => {
    const breakers = combinations({
      failures: [0, 1, 2],
      opened_at: [undefined, now - 1],
      probe_at: [now, now + 1],
      paused_at: [undefined, now - 1],
      drain: [undefined, { token: 'mine', since: now, at: now }, { token: 'other', since: now, at: now }],
    });
    const args = { now, failures: 1, probe_at: now, token: 'mine' };
    const { accepted, rejected } = await compare(breakerMachine, [undefined, ...breakers], args, 'breaker');
    expect(accepted).toBeGreaterThan(100);
    expect(rejected).toBeGreaterThan(100);
  });

  it('compares facts in DynamoDB as in the domain', async () => {
    const machine = stateMachine({
      states: { with: { facts: [['a', 'present']], meaning: '' }, without: { facts: [['a', 'absent']], meaning: '' } },
      conditions: {
        present: [['a.b', 'present']],
        absent: [['a.b', 'absent']],
        equal: [['a.b', '=', ':value']],
        atMost: [['a.b', '<=', ':value']],
        lacks: [['a.b', 'lacks', ':value']],
        either: [
          ['a.b', '=', 'text'],
          ['a.b', '=', ':value'],
        ],
      },
      transitions: {
        present: { from: ['with', 'without'], to: 'unchanged', when: ['present'] },
        absent: { from: ['with', 'without'], to: 'unchanged', when: ['absent'] },
        equal: { from: ['with', 'without'], to: 'unchanged', when: ['equal'] },
        atMost: { from: ['with', 'without'], to: 'unchanged', when: ['atMost'] },
        lacks: { from: ['with', 'without'], to: 'unchanged', when: ['lacks'] },
        either: { from: ['with', 'without'], to: 'unchanged', when: ['either', 'present'] },
        unconditional: { from: ['with', 'without'], to: 'unchanged' },
      },
    });
    const records = [undefined, {}, ...[1, 2, 3, 'text', [1, 2], [1]].map((b) => ({ a: { b } })), { a: {} }];
    await compare(machine, records, { value: 2 });
  });

  it('is not built without an argument that it needs', () => {
    expect(() => conditionOf(deliveryMachine, 'record', {})).toThrow('needs the argument :holder');
  });

  it('looks for the attributes of a machine where an item has them', () => {
    const { ConditionExpression, ExpressionAttributeNames } = conditionOf(
      breakerMachine,
      'continueDraining',
      { token: 'mine' },
      { within: 'breaker' },
    );
    expect(ConditionExpression).toBe(
      '(attribute_not_exists(#breaker.#opened_at) AND attribute_exists(#breaker.#drain)) AND ' +
        '#breaker.#drain.#token = :if_token',
    );
    const names = ['breaker', 'opened_at', 'drain', 'token'];
    expect(ExpressionAttributeNames).toEqual(Object.fromEntries(names.map((name) => [`#${name}`, name])));
  });

  it('has no redundant brackets, which DynamoDB rejects', () => {
    expect(conditionOf(deliveryMachine, 'claimFirst', {}).ConditionExpression).toBe('attribute_not_exists(#id)');
    expect(conditionOf(deliveryMachine, 'discard', { now }).ConditionExpression).toBe(
      '(#state = :is_waiting OR #state = :is_held OR (#state = :is_sending AND #lease.#until <= :if_now))',
    );
  });
});
