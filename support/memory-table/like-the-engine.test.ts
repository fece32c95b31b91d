import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAwsError } from '#shared/adapters/aws-sdk/aws-error.ts';
import type { TableClient } from '#shared/adapters/dynamodb/table/table.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { type Random, seededRandom } from '../../test/simulation/random.ts';
import { memoryClient } from './document-client.ts';
import { MemoryTable } from './memory-table.ts';

/** The same commands against the engine that the local world runs and against the table in memory. */
const sequences = 5;
const commandsEach = 80;

let dynamodb: TestTable;
beforeAll(async () => {
  dynamodb = await startTestTable();
});
afterAll(() => dynamodb.close());

type Command = ConstructorParameters<typeof UpdateCommand>[0] & Record<string, unknown>;
type Make = (random: Random, TableName: string, prefix: string) => object;

const states = ['waiting', 'sending', 'held'];
const keyOf = (random: Random, prefix: string) => ({ pk: `${prefix}P${random.below(2)}`, sk: `S#${random.below(5)}` });

const breakerOf = (random: Random) => ({
  ...(random.chance(0.8) && { failures: random.below(3) }),
  ...(random.chance(0.3) && { first: random.pick(states) }),
  ...(random.chance(0.5) && { drain: { token: random.pick(states), at: random.below(5) } }),
});

function itemOf(random: Random, prefix: string): Record<string, unknown> {
  return {
    ...keyOf(random, prefix),
    ...(random.chance(0.6) && { gsi1pk: `${prefix}X${random.below(2)}`, gsi1sk: `Y#${random.below(4)}` }),
    state: random.pick(states),
    tries: random.below(4),
    ...(random.chance(0.7) && { marks: Array.from({ length: random.below(4) }, () => random.pick(states)) }),
    ...(random.chance(0.7) && { lease: { holder: random.pick(states), ends: random.below(5), none: undefined } }),
    version: random.below(3),
    ...(random.chance(0.8) && { breaker: breakerOf(random) }),
    ...(random.chance(0.3) && { kinds: new Set(['a', random.pick(states)]) }),
    ...(random.chance(0.3) && { flag: random.chance(0.5), nothing: null }),
  };
}

/** Each with the values that it needs beside `:state`. */
const conditions: readonly { text: string; names?: object; values?: (random: Random) => object }[] = [
  { text: 'attribute_not_exists(pk) OR #state = :state' },
  { text: 'attribute_exists(pk) AND #state <> :state' },
  { text: '#state <> :state' },
  { text: 'NOT #state = :state AND attribute_exists(lease)' },
  { text: '#state IN (:state, :other)', values: (random) => ({ ':other': random.pick(states) }) },
  { text: 'contains(marks, :state) OR contains(kinds, :state) OR contains(#state, :state)' },
  { text: 'NOT contains(marks, :state)' },
  { text: 'lease.holder = :state' },
  { text: 'attribute_exists(pk) AND attribute_not_exists(breaker.drain) AND #state <> :state' },
  { text: 'attribute_exists(breaker.drain) AND breaker.drain.#token = :state', names: { '#token': 'token' } },
  {
    text: '(attribute_not_exists(breaker.#first) OR breaker.#first <> :state) AND attribute_exists(version)',
    names: { '#first': 'first' },
  },
  { text: 'breaker.failures >= :n OR #state = :state', values: (random) => ({ ':n': random.below(3) }) },
  { text: 'lease.ends <= :n OR #state = :state', values: (random) => ({ ':n': random.below(5) }) },
  { text: '(#state = :state OR lease.ends > :n) AND tries >= :n', values: (random) => ({ ':n': random.below(3) }) },
  {
    text: 'tries BETWEEN :low AND :high OR #state = :state',
    values: (random) => ({ ':low': random.below(3), ':high': 3 }),
  },
  { text: 'begins_with(#state, :start) AND #state <> :state', values: () => ({ ':start': 's' }) },
  { text: 'size(marks) > :n OR #state = :state', values: (random) => ({ ':n': random.below(3) }) },
  { text: 'tries < :state OR marks = :list', values: (random) => ({ ':list': [random.pick(states)] }) },
  { text: 'lease = :lease OR #state > :state', values: () => ({ ':lease': { holder: 'held', ends: 1 } }) },
  { text: 'flag = :true OR nothing = :null OR #state < :state', values: () => ({ ':true': true, ':null': null }) },
];

function conditionOf(random: Random) {
  const { text, names, values } = random.pick(conditions);
  return {
    ConditionExpression: text,
    names: { ...(text.includes('#state') && { '#state': 'state' }), ...names },
    values: { ...(text.includes(':state') && { ':state': random.pick(states) }), ...values?.(random) },
  };
}

const onFailure = (random: Random) =>
  random.chance(0.5) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {};

function conditionally(random: Random, names: object = {}, values: object = {}) {
  const condition = random.chance(0.7) ? conditionOf(random) : undefined;
  const allNames = { ...names, ...condition?.names };
  const allValues = { ...values, ...condition?.values };
  return {
    ...(condition && { ConditionExpression: condition.ConditionExpression }),
    ...(Object.keys(allNames).length > 0 && { ExpressionAttributeNames: allNames }),
    ...(Object.keys(allValues).length > 0 && { ExpressionAttributeValues: allValues }),
    ...onFailure(random),
  };
}

interface Change {
  text: string;
  names?: object;
  values?: (random: Random, prefix: string) => object;
}

/** Changes within a map, which may be missing. */
function ofBreakers(): readonly Change[] {
  const names = { '#breaker': 'breaker', '#failures': 'failures' };
  const version = { '#version': 'version' };
  const drain = { '#breaker': 'breaker', '#drain': 'drain' };
  const one = { ':one': 1 };
  return [
    { text: 'SET #breaker.#failures = #breaker.#failures + :one', names, values: () => one },
    {
      text: [
        'SET #version = #version + :one, #breaker.#first = if_not_exists(#breaker.#first, :s)',
        '#breaker.#failures = #breaker.#failures + :one',
      ].join(', '),
      names: { ...names, ...version, '#first': 'first' },
      values: (random) => ({ ':s': random.pick(states), ...one }),
    },
    {
      text: 'SET #version = #version + :one, #removed = #version + :one REMOVE #breaker, tries',
      names: { ...version, '#breaker': 'breaker', '#removed': 'removed' },
      values: () => one,
    },
    {
      text: [
        'SET #breaker.#drain = :drain, #breaker.#failures = :n',
        '#breaker.#last = #breaker.#first REMOVE #breaker.#first',
      ].join(', '),
      names: { ...names, ...drain, '#last': 'last', '#first': 'first' },
      values: (random) => ({ ':n': random.below(3), ':drain': { token: random.pick(states), at: 1 } }),
    },
    {
      text: 'SET #breaker.#drain.#at = :n, #breaker.#drain.#token = :s',
      names: { ...drain, '#at': 'at', '#token': 'token' },
      values: (random) => ({ ':n': random.below(5), ':s': random.pick(states) }),
    },
    {
      text: 'SET #breaker.#failures = :n REMOVE #breaker.#drain, gsi1pk, gsi1sk',
      names: { ...names, ...drain },
      values: () => ({ ':n': 0 }),
    },
    {
      text: 'SET #breaker.#drain.#token = :s REMOVE #breaker.#drain.#at',
      names: { ...drain, '#at': 'at', '#token': 'token' },
      values: (random) => ({ ':s': random.pick(states) }),
    },
    {
      text: 'SET #breaker = :breaker',
      names: { '#breaker': 'breaker' },
      values: (random) => ({ ':breaker': breakerOf(random) }),
    },
  ];
}

const updates: readonly Change[] = [
  { text: 'SET #s = :s', names: { '#s': 'state' }, values: (random) => ({ ':s': random.pick(states) }) },
  {
    text: 'SET gsi1pk = :x, gsi1sk = :y REMOVE lease',
    values: (random, prefix) => ({ ':x': `${prefix}X${random.below(2)}`, ':y': `Y#${random.below(4)}` }),
  },
  { text: 'REMOVE gsi1pk, gsi1sk, #c', names: { '#c': 'tries' } },
  { text: 'ADD #c :one', names: { '#c': 'tries' }, values: () => ({ ':one': 1 }) },
  {
    text: 'SET initial = if_not_exists(initial, :s) ADD #c :one',
    names: { '#c': 'tries' },
    values: (random) => ({ ':s': random.pick(states), ':one': 2 }),
  },
  { text: 'SET marks = list_append(marks, :l)', values: (random) => ({ ':l': [random.pick(states)] }) },
  {
    text: 'SET marks = list_append(if_not_exists(marks, :none), :l)',
    values: (random) => ({ ':l': [random.pick(states)], ':none': [] }),
  },
  { text: 'SET lease.#u = :n', names: { '#u': 'ends' }, values: (random) => ({ ':n': random.below(5) }) },
  { text: 'REMOVE lease, marks' },
  { text: 'SET #c = #c + :one', names: { '#c': 'tries' }, values: () => ({ ':one': 1 }) },
  { text: 'ADD kinds :set', values: (random) => ({ ':set': new Set([random.pick(states)]) }) },
  { text: 'DELETE kinds :set', values: (random) => ({ ':set': new Set([random.pick(states)]) }) },
  ...ofBreakers(),
  { text: 'SET a = #c, #c = :n', names: { '#c': 'tries' }, values: (random) => ({ ':n': random.below(4) }) },
];

function updateOf(random: Random, TableName: string, prefix: string) {
  const { text, names, values } = random.pick(updates);
  return {
    TableName,
    Key: keyOf(random, prefix),
    UpdateExpression: text,
    ...conditionally(random, names, values?.(random, prefix)),
  };
}

const returned = (random: Random) => ({ ReturnValues: random.pick(['ALL_NEW', 'NONE'] as const) });

const makers: readonly Make[] = [
  (random, TableName, prefix) =>
    new GetCommand({ TableName, Key: keyOf(random, prefix), ConsistentRead: random.chance(0.5) }),
  (random, TableName, prefix) =>
    new PutCommand({
      TableName,
      Item: itemOf(random, prefix),
      ReturnValues: random.pick(['ALL_OLD', 'NONE']),
      ...conditionally(random),
    }),
  (random, TableName, prefix) => new UpdateCommand({ ...updateOf(random, TableName, prefix), ...returned(random) }),
  (random, TableName, prefix) => new UpdateCommand({ ...updateOf(random, TableName, prefix), ...returned(random) }),
  (random, TableName, prefix) =>
    new DeleteCommand({
      TableName,
      Key: keyOf(random, prefix),
      ReturnValues: random.pick(['ALL_OLD', 'NONE']),
      ...conditionally(random),
    }),
  (random, TableName, prefix) => {
    const Keys = Array.from({ length: 5 }, (_, index) => ({ pk: `${prefix}P${random.below(2)}`, sk: `S#${index}` }));
    return new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
  },
  (random, TableName, prefix) => {
    const bounds = random.pick([
      { text: '', values: {} },
      { text: ' AND begins_with(sk, :low)', values: { ':low': random.pick(['S', 'S#1', 'T']) } },
      { text: ' AND sk BETWEEN :low AND :high', values: { ':low': 'S#1', ':high': `S#${random.between(1, 5)}` } },
      { text: ' AND sk > :low', values: { ':low': `S#${random.below(5)}` } },
      { text: ' AND sk <= :low', values: { ':low': `S#${random.below(5)}` } },
    ]);
    const isFiltered = random.chance(0.4);
    return new QueryCommand({
      TableName,
      ConsistentRead: true,
      ScanIndexForward: random.chance(0.6),
      Limit: random.between(1, 4),
      KeyConditionExpression: `pk = :pk${bounds.text}`,
      ...(isFiltered && { FilterExpression: '#state = :state', ExpressionAttributeNames: { '#state': 'state' } }),
      ExpressionAttributeValues: {
        ':pk': `${prefix}P${random.below(2)}`,
        ...bounds.values,
        ...(isFiltered && { ':state': random.pick(states) }),
      },
    });
  },
  (random, TableName, prefix) =>
    new QueryCommand({
      TableName,
      IndexName: 'gsi1',
      ScanIndexForward: random.chance(0.6),
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
      ExpressionAttributeValues: { ':pk': `${prefix}X${random.below(2)}`, ':before': `Y#${random.between(1, 5)}` },
    }),
  (random, TableName, prefix) => {
    const [first, second] = [`${prefix}P0`, `${prefix}P1`].map((pk) => ({ pk, sk: `S#${random.below(5)}` }));
    const { UpdateExpression, ...update } = { ...updateOf(random, TableName, prefix), Key: first };
    return new TransactWriteCommand({
      TransactItems: [
        { Update: { ...update, UpdateExpression } },
        random.pick([
          { Put: { TableName, Item: { ...itemOf(random, prefix), ...second }, ...conditionally(random) } },
          { Delete: { TableName, Key: second, ...conditionally(random) } },
          {
            ConditionCheck: {
              TableName,
              Key: second,
              ConditionExpression: 'attribute_exists(pk)',
              ...onFailure(random),
            },
          },
        ]),
      ],
    });
  },
];

/** An update that no item, or not this one, allows. */
interface Mistake {
  UpdateExpression: string;
  names?: Record<string, string>;
  /** The value of `:n`. */
  n?: unknown;
}

type Outcome = Record<string, unknown>;

/** Why a write was not made. */
interface Reason {
  Code?: string;
  Item?: Record<string, AttributeValue>;
}

/** What a caller can tell from the outcome; of a query all pages together. */
async function outcomeOf(client: TableClient, command: object): Promise<Outcome> {
  try {
    if (command instanceof QueryCommand) return { items: await allPages(client, command) };
    const { Item, Attributes, Responses } = (await client.send(command as GetCommand)) as Outcome;
    const found = Object.values((Responses ?? {}) as Record<string, Command[]>).flat();
    return { Item, Attributes, found: found.map(({ pk, sk }) => `${pk} ${sk}`).sort() };
  } catch (error) {
    if (isAwsError(error, 'ConditionalCheckFailedException')) {
      const { Item } = error as Reason;
      return { unmet: error.name, item: Item && unmarshall(Item) };
    }
    if (isAwsError(error, 'TransactionCanceledException')) {
      const { CancellationReasons } = error as { CancellationReasons?: Reason[] };
      // DynamoDB Local rejects the whole transaction instead (test/dynamodb-local/disagreements.test.ts).
      if (
        process.env.AWS_ENDPOINT_URL_DYNAMODB &&
        CancellationReasons?.some(({ Code }) => Code === 'ValidationError')
      ) {
        return { error: 'ValidationException' };
      }
      return { canceled: CancellationReasons?.map(({ Code, Item }) => ({ Code, item: Item && unmarshall(Item) })) };
    }
    return { error: (error as Error).name };
  }
}

async function allPages(client: TableClient, command: QueryCommand): Promise<unknown[]> {
  const items: unknown[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({ ...command.input, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** In the order of what sorts them, in which items with the same key of an index may come in any order. */
const inAnyOrder = ({ items, ...outcome }: Outcome, command: object) => ({
  ...outcome,
  items:
    command instanceof QueryCommand && command.input.IndexName
      ? (items as Command[] | undefined)?.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort()
      : items,
});

describe('the simulated table', () => {
  const outcomes = new Set<string>();

  it.each(Array.from({ length: sequences }, (_, seed) => seed))(
    'has the same outcomes as the engine (sequence %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const prefix = `${seed}-`;
      const { table } = dynamodb;
      const memory = memoryClient(new MemoryTable());
      for (let count = 0; count < commandsEach; count++) {
        const command = random.pick(makers)(random, table.name, prefix);
        const [expected, simulated] = await Promise.all([outcomeOf(table.client, command), outcomeOf(memory, command)]);
        const { input } = command as { input: unknown };
        expect(inAnyOrder(simulated, command), JSON.stringify(input)).toEqual(inAnyOrder(expected, command));
        for (const name of Object.keys(expected)) if (expected[name] !== undefined) outcomes.add(name);
      }
    },
  );

  it('is compared with the engine in every kind of outcome', () => {
    expect([...outcomes].sort()).toEqual(expect.arrayContaining(['Attributes', 'Item', 'canceled', 'items', 'unmet']));
  });

  const Key = { pk: 'mistakes', sk: 'S#1' };
  const breaker = { '#breaker': 'breaker', '#failures': 'failures' };

  it.each<[string, Mistake]>([
    ['a path into a map that is missing', { UpdateExpression: 'SET absent.#failures = :n', n: 1 }],
    ['a path into what is not a map', { UpdateExpression: 'SET version.#failures = :n', n: 1 }],
    ['a sum with what is absent', { UpdateExpression: 'SET absent = absent + :n', n: 1 }],
    ['a sum with what is absent in a map', { UpdateExpression: 'SET #breaker.absent = #breaker.absent + :n', n: 1 }],
    ['a path into a map that is set', { UpdateExpression: 'SET #breaker = :n, #breaker.#failures = :n', n: 1 }],
    ['a path into a map that is removed', { UpdateExpression: 'SET #breaker.#failures = :n REMOVE #breaker', n: 1 }],
    ['a path that is there twice', { UpdateExpression: 'SET #breaker.#failures = :n, breaker.failures = :n', n: 1 }],
    ['a change of the key', { UpdateExpression: 'SET sk = :n', n: 'S#2' }],
    ['a number as the key of an index', { UpdateExpression: 'SET gsi1sk = :n', n: 1 }],
    ['an empty text as the key of an index', { UpdateExpression: 'SET gsi1sk = :n', n: '' }],
    ['a name that nothing uses', { UpdateExpression: 'SET version = :n', names: breaker, n: 1 }],
    ['a value that nothing uses', { UpdateExpression: 'REMOVE version', n: 1 }],
    ['an empty list of names', { UpdateExpression: 'REMOVE version', names: {} }],
  ])('rejects %s as the engine does', async (_, { names, n, ...update }) => {
    const memory = memoryClient(new MemoryTable());
    const { name: TableName, client } = dynamodb.table;
    const Item = { ...Key, version: 1, breaker: { failures: 0 } };
    const used = Object.entries(names ?? breaker).filter(([name]) => names || update.UpdateExpression.includes(name));
    const command = new UpdateCommand({
      ...{ TableName, Key, ...update },
      ...((names || used.length > 0) && { ExpressionAttributeNames: Object.fromEntries(used) }),
      ...(n !== undefined && { ExpressionAttributeValues: { ':n': n } }),
    });
    for (const each of [memory, client]) {
      await each.send(new PutCommand({ TableName, Item }));
      expect(await outcomeOf(each, command)).toEqual({ error: 'ValidationException' });
      expect(await outcomeOf(each, new GetCommand({ TableName, Key }))).toMatchObject({ Item });
    }
  });

  it('rejects the removal of what is in a map that the item lacks, as AWS does', async () => {
    // Dynoxide accepts it, Amazon's engine does not (`npm run test:dynamodb-local`).
    const { name: TableName, client } = dynamodb.table;
    const engines = process.env.AWS_ENDPOINT_URL_DYNAMODB ? [client] : [];
    for (const each of [memoryClient(new MemoryTable()), ...engines]) {
      await each.send(new PutCommand({ TableName, Item: { ...Key, breaker: {} } }));
      const remove = new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE absent.failures' });
      expect(await outcomeOf(each, remove)).toEqual({ error: 'ValidationException' });
      const within = { TableName, Key, UpdateExpression: 'REMOVE breaker.failures', ReturnValues: 'ALL_NEW' as const };
      expect(await outcomeOf(each, new UpdateCommand(within))).toMatchObject({ Attributes: { ...Key, breaker: {} } });
    }
  });

  it.each([0, 101])('rejects a transaction of %i operations as the engine does', async (count) => {
    const { name: TableName, client } = dynamodb.table;
    const TransactItems = Array.from({ length: count }, (_, index) => ({
      Put: { TableName, Item: { pk: 'many', sk: `S#${index}` } },
    }));
    for (const each of [memoryClient(new MemoryTable()), client]) {
      expect(await outcomeOf(each, new TransactWriteCommand({ TransactItems }))).toEqual({
        error: 'ValidationException',
      });
    }
  });
});
