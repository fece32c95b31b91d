import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type Arguments, type StateMachine, stateMachine, unmet } from '#shared/base/state-machine.ts';
import { deliveryArguments, deliveryMachine } from '#shared/delivery/delivery.ts';
import { breakerMachine } from '#shared/webhooks/breaker.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { loadItems } from '#support/aws/table-cost.ts';
import { canceledFor } from './failures.ts';
import { type Condition, conditionOf, onCondition, type Update } from './write.ts';

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
