import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { Access } from '../base/aws-access.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/loopback.ts';
import { startDynamoDbFront } from './front.ts';

const running: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0).reverse()) await server.close();
});

async function startFront(authorize: (access: Access) => void) {
  const engine = await listenOnLoopback(
    createServer((_, response) => response.end('{"engine":true}')),
    0,
  );
  const partitionKeyNames = new Map([['Table', 'pk']]);
  const options = {
    engineUrl: engine.url,
    region: 'us-east-1',
    accountId: '0',
    partitionKeyNames,
    authorize,
    batchesAsTransactions: false,
  };
  const front = await startDynamoDbFront(options);
  running.push(engine, front);
  return (operation: string, call: unknown) =>
    fetch(front.url, {
      method: 'POST',
      headers: { 'x-amz-target': `DynamoDB_20120810.${operation}`, authorization: 'AWS4 Credential=CALLER/x' },
      body: JSON.stringify(call),
    });
}

const call = { TableName: 'Table', Key: { pk: { S: 'TOKEN#1' } } };

it('a permitted request is passed on to DynamoDB', async () => {
  const asked: Access[] = [];
  const request = await startFront((access) => void asked.push(access));
  expect(await (await request('GetItem', call)).json()).toEqual({ engine: true });
  expect(asked).toEqual([
    {
      accessKeyId: 'CALLER',
      action: 'dynamodb:GetItem',
      resource: 'arn:aws:dynamodb:us-east-1:0:table/Table',
      context: { 'dynamodb:LeadingKeys': ['TOKEN#1'] },
    },
  ]);
});

it('a forbidden request is rejected as DynamoDB does', async () => {
  const request = await startFront(() => {
    throw new Error('not allowed');
  });
  const rejected = await request('PutItem', { TableName: 'Table', Item: call.Key });
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({
    __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException',
    message: 'not allowed',
  });
});
