import {
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDynoxide, startDynoxide } from '#local/aws/dynamodb/dynoxide.ts';
import { type Engine, newAccessKeyId } from '#local/aws/dynamodb/engine.ts';
import { createTable, tableName as TableName } from '../../support/aws/dynamodb.ts';

/** Only `npm run test:dynamodb-local` starts Amazon's engine. */
const amazonUrl = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';

/**
 * Where the two engines respond differently. Each test says which one AWS agrees with, and how we know.
 */
describe.runIf(amazonUrl && findDynoxide())('the engines disagree', () => {
  const clients: DynamoDBClient[] = [];
  let dynoxide: Engine;
  const Key = { pk: { S: 'A' }, sk: { S: 'B' } };

  beforeAll(async () => {
    dynoxide = await startDynoxide({ program: findDynoxide() ?? '', accessKeyId: newAccessKeyId() });
    for (const { url, accessKeyId } of [{ url: amazonUrl, accessKeyId: newAccessKeyId() }, dynoxide]) {
      const connection = { endpoint: url, region: 'us-east-1', credentials: { accessKeyId, secretAccessKey: 'test' } };
      await createTable(connection);
      const client = new DynamoDBClient(connection);
      clients.push(client);
      await client.send(new PutItemCommand({ TableName, Item: Key }));
    }
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await dynoxide.close();
  });

  /** What Amazon's DynamoDB Local does, and what dynoxide does. */
  const both = <Result>(action: (client: DynamoDBClient) => Promise<Result>) =>
    Promise.all(clients.map((client) => action(client)));

  const increment = {
    ...{ TableName, Key, UpdateExpression: 'SET tries = tries + :one' },
    ExpressionAttributeValues: { ':one': { N: '1' } },
  };

  it('about an update in a transaction that an item does not allow: AWS cancels all, as dynoxide does', async () => {
    // API Reference, TransactWriteItems: a cancellation reason has the code ValidationError, with the same message.
    const outcomes = await both((client) =>
      client.send(new TransactWriteItemsCommand({ TransactItems: [{ Update: increment }] })).catch((error) => error),
    );
    const Message = 'The provided expression refers to an attribute that does not exist in the item';
    expect(outcomes).toMatchObject([
      { name: 'ValidationException', message: Message },
      { name: 'TransactionCanceledException', CancellationReasons: [{ Code: 'ValidationError', Message }] },
    ]);
    // Alone, it is rejected by both alike.
    const alone = await both((client) => client.send(new UpdateItemCommand(increment)).catch((error) => error.name));
    expect(alone).toEqual(['ValidationException', 'ValidationException']);
  });

  it('about the units of a query that finds nothing: AWS bills the least of a read, as dynoxide does', async () => {
    // Developer Guide, "Capacity unit consumption for read operations": reads of what does not exist are billed, too.
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'none' } },
    };
    const outputs = await both((client) =>
      client.send(new QueryCommand({ ...query, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' })),
    );
    expect(outputs.map(({ ConsumedCapacity }) => ConsumedCapacity?.CapacityUnits)).toEqual([0, 1]);
  });

  it('about the pages of a filtered query: AWS filters the 1 MB that it has read, as dynoxide does', async () => {
    // Developer Guide, "Query operations in DynamoDB": the limit of 1 MB applies before the filter, which may leave an
    // empty page with a LastEvaluatedKey. Amazon's DynamoDB Local reads on.
    const sortKeys = ['1', '2', '3', '4', '5'];
    const pages = await both(async (client) => {
      for (const sk of sortKeys) {
        const Item = { pk: { S: 'large' }, sk: { S: sk }, text: { S: 'x'.repeat(300_000) } };
        await client.send(new PutItemCommand({ TableName, Item }));
      }
      const query = {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'attribute_exists(absent)',
        ExpressionAttributeValues: { ':pk': { S: 'large' } },
      };
      return client.send(new QueryCommand(query));
    });
    expect(pages).toMatchObject([
      { Count: 0, ScannedCount: 5 },
      { Count: 0, LastEvaluatedKey: { pk: { S: 'large' } } },
    ]);
    expect(pages[0]).not.toHaveProperty('LastEvaluatedKey');
  });

  it('about the form of numbers that an update returns: AWS trims zeros, as dynoxide does', async () => {
    // Developer Guide, "Supported data types and naming rules", Number: leading and trailing zeroes are trimmed.
    const outputs = await both((client) =>
      client.send(
        new UpdateItemCommand({
          ...{ TableName, Key: { pk: { S: 'numbers' }, sk: { S: 'a' } }, UpdateExpression: 'SET n = :n' },
          ...{ ExpressionAttributeValues: { ':n': { N: '01.50' } }, ReturnValues: 'ALL_NEW' },
        }),
      ),
    );
    expect(outputs.map(({ Attributes }) => Attributes?.n)).toEqual([{ N: '01.50' }, { N: '1.5' }]);
  });

  it('about removing two elements of a list: AWS means places before the update, as DynamoDB Local does', async () => {
    // Developer Guide, "Update expressions": REMOVE RelatedItems[1], RelatedItems[2] removes two neighbours.
    const letters = { L: ['a', 'b', 'c'].map((text) => ({ S: text })) };
    const item = { pk: { S: 'list' }, sk: { S: 'a' } };
    const outputs = await both(async (client) => {
      await client.send(new PutItemCommand({ TableName, Item: { ...item, letters } }));
      const update = { TableName, Key: item, UpdateExpression: 'REMOVE letters[0], letters[1]' };
      return client.send(new UpdateItemCommand({ ...update, ReturnValues: 'ALL_NEW' }));
    });
    const left = outputs.map(({ Attributes }) => Attributes?.letters?.L?.map(({ S }) => S));
    expect(left).toEqual([['c'], ['b']]);
  });

  it('about removing a member of a map that is not there: AWS rejects it, as DynamoDB Local does', async () => {
    // Seen on AWS by ScyllaDB, whose own tests compare with it (github.com/scylladb/scylladb/issues/10043): the map has
    // to exist, its member does not.
    const update = { TableName, Key, UpdateExpression: 'REMOVE noMap.#member' };
    const outcomes = await both((client) =>
      client
        .send(new UpdateItemCommand({ ...update, ExpressionAttributeNames: { '#member': 'member' } }))
        .then(() => 'accepted')
        .catch((error) => error.message),
    );
    expect(outcomes).toEqual(['The document path provided in the update expression is invalid for update', 'accepted']);
  });

  it('about the name "size": AWS reserves it, as dynoxide does', async () => {
    // Developer Guide, "Reserved words in DynamoDB". DynamoDB Local knows the other 572 words, dynoxide all of them.
    const outcomes = await both((client) =>
      client
        .send(new PutItemCommand({ TableName, Item: Key, ConditionExpression: 'attribute_not_exists(size)' }))
        .then(() => 'accepted')
        .catch((error) => error.message),
    );
    expect(outcomes).toEqual(['accepted', expect.stringContaining('reserved keyword: size')]);
  });
});
