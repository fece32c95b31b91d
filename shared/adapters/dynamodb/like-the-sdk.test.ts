import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer, type TestServer } from '#test/support/http-server.ts';
import { AwsError } from '../aws/aws-error.ts';
import * as ours from './commands.ts';
import { openTable, type TableClient } from './table.ts';

/** What DynamoDB returns. */
let output: object;
let status: number;
let server: TestServer;
let client: TableClient;
let theirs: sdk.DynamoDBDocumentClient;

beforeAll(async () => {
  server = await startHttpServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(output));
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const connection = { endpoint: server.url, region: 'us-east-1', credentials };
  client = openTable('Table', connection).client;
  theirs = sdk.DynamoDBDocumentClient.from(new DynamoDBClient(connection), {
    marshallOptions: { removeUndefinedValues: true },
  });
});
beforeEach(() => {
  server.requests.length = 0;
  status = 200;
});
afterAll(async () => {
  client.destroy();
  theirs.destroy();
  await server.close();
});

const value = {
  text: 'é 😀',
  number: -1.5,
  large: 2 ** 53 - 1,
  truth: true,
  nothing: null,
  absent: undefined,
  list: [1, 'a', [], {}],
  map: { Key: { Item: 1 }, absent: undefined },
  set: new Set(['a', 'b']),
};
const key = { pk: 'a', sk: 'b' };
const TableName = 'Table';
const values = {
  ExpressionAttributeNames: { '#pk': 'Key' },
  ExpressionAttributeValues: { ':value': value, ':text': 'x' },
};
const condition = { ConditionExpression: '#pk = :value', ...values };
const item = marshall({ ...key, ...value }, { removeUndefinedValues: true });

/** Each command, with its input and with what DynamoDB returns. */
const commands = [
  ['GetCommand', ours.GetCommand, sdk.GetCommand, { TableName, Key: key, ConsistentRead: true }, { Item: item }],
  [
    'PutCommand',
    ours.PutCommand,
    sdk.PutCommand,
    { TableName, Item: { ...key, ...value }, ...condition },
    { Attributes: item },
  ],
  [
    'UpdateCommand',
    ours.UpdateCommand,
    sdk.UpdateCommand,
    { TableName, Key: key, UpdateExpression: 'SET a = :text', ...condition },
    { Attributes: item },
  ],
  ['DeleteCommand', ours.DeleteCommand, sdk.DeleteCommand, { TableName, Key: key, ...condition }, {}],
  [
    'QueryCommand',
    ours.QueryCommand,
    sdk.QueryCommand,
    { TableName, Limit: 1, ...values, KeyConditionExpression: '#pk = :value', ExclusiveStartKey: key },
    { Items: [item], Count: 1, LastEvaluatedKey: marshall(key) },
  ],
  [
    'BatchGetCommand',
    ours.BatchGetCommand,
    sdk.BatchGetCommand,
    { RequestItems: { Table: { Keys: [key], ConsistentRead: true } } },
    { Responses: { Table: [item] }, UnprocessedKeys: { Table: { Keys: [marshall(key)] } } },
  ],
  [
    'TransactWriteCommand',
    ours.TransactWriteCommand,
    sdk.TransactWriteCommand,
    {
      ClientRequestToken: 'token',
      TransactItems: [
        { Put: { TableName, Item: { ...key, ...value } } },
        { Update: { TableName, Key: key, UpdateExpression: 'SET a = :text', ...condition } },
        { Delete: { TableName, Key: key } },
        { ConditionCheck: { TableName, Key: key, ...condition } },
      ],
    },
    {},
  ],
] as const;

describe('a command', () => {
  it.each(commands)(
    'is sent, and its response read, as by the document client of the SDK: %s',
    async (_, Ours, Theirs, input, returned) => {
      output = returned;
      const { $metadata, ...expected } = await theirs.send(new Theirs(input as never) as sdk.GetCommand);
      expect(await client.send(new Ours(input as never) as ours.GetCommand)).toEqual(expected);
      const [one, other] = server.requests.map(({ url, headers, body }) => ({
        url,
        target: headers['x-amz-target'],
        type: headers['content-type'],
        body: JSON.parse(body),
      }));
      expect(other).toEqual(one);
    },
  );
});

describe('a transaction', () => {
  it('has a token of its own, which makes it happen once however often it is sent', async () => {
    output = {};
    const TransactItems = [{ Delete: { TableName, Key: key } }];
    await client.send(new ours.TransactWriteCommand({ TransactItems }));
    await client.send(new ours.TransactWriteCommand({ TransactItems }));
    const tokens = server.requests.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(tokens[0]).toMatch(/^[\da-f-]{36}$/);
    expect(tokens[1]).not.toBe(tokens[0]);
  });
});

describe('an error', () => {
  const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: item, Message: 'The condition failed' }];
  it.each([
    [400, 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', { Item: item }],
    [400, 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException', { CancellationReasons: reasons }],
    [400, 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', {}],
    [400, 'com.amazon.coral.validate#ValidationException', {}],
    [403, 'com.amazon.coral.service#AccessDeniedException', {}],
    [400, 'SomethingNew', {}],
  ])('is read as by the SDK: %d %s', async (errorStatus, __type, details) => {
    status = errorStatus;
    output = { __type, message: 'What was wrong', ...details };
    const input = { TableName, Key: key };
    const their = await theirs.send(new sdk.GetCommand(input)).catch((error) => error);
    const our = await client.send(new ours.GetCommand(input)).catch((error) => error);
    if (!(our instanceof AwsError && their instanceof DynamoDBServiceException)) throw new Error('Both must fail');
    const { name, message, $metadata, ...rest } = their;
    expect(our).toMatchObject({ name, message, status: $metadata.httpStatusCode });
    for (const detail of Object.keys(details)) expect(our.details[detail]).toEqual(Reflect.get(rest, detail));
  });
});
