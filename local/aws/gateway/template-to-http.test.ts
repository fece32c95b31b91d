import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoopbackServer } from '../base/http/loopback.ts';
import { type LambdaService, startLambda } from '../lambda/lambda-service.ts';
import { readFunctions } from '../template/functions.ts';
import { readHttpApi } from '../template/http-api.ts';
import { createResolver } from '../template/resolve.ts';
import { readTemplate } from '../template/template.ts';
import { startGateway } from './gateway.ts';

const code: Record<string, string> = {
  GetFlow: `export const handler = async (event) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      flow: event.pathParameters.flow,
      table: process.env.TABLE_NAME,
    }),
  });`,
  Preview: `export const handler = async ({ body = '', isBase64Encoded, rawQueryString }) => {
    if (rawQueryString === 'throw') throw new Error('secret');
    if (rawQueryString === 'big') return { statusCode: 200, body: 'x'.repeat(6_291_556) };
    return { statusCode: 200, body, isBase64Encoded };
  };`,
};

const functionResource = (id: string) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    Environment: { Variables: { TABLE_NAME: { Ref: 'Table' } } },
  },
  Metadata: { 'aws:cdk:path': `Stack/${id}/Resource`, 'aws:asset:path': `asset.${id}` },
});
const integration = (id: string) => ({
  Type: 'AWS::ApiGatewayV2::Integration',
  Properties: {
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] },
    PayloadFormatVersion: '2.0',
  },
});
const route = (RouteKey: string, target: string) => ({
  Type: 'AWS::ApiGatewayV2::Route',
  Properties: { RouteKey, Target: { 'Fn::Join': ['', ['integrations/', { Ref: target }]] } },
});
const template = {
  Resources: {
    Role: { Type: 'AWS::IAM::Role' },
    Table: { Type: 'AWS::DynamoDB::GlobalTable' },
    ...Object.fromEntries(Object.keys(code).map((id) => [id, functionResource(id)])),
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
    GetFlowIntegration: integration('GetFlow'),
    PreviewIntegration: integration('Preview'),
    GetFlowRoute: route('GET /v2/flows/{flow}', 'GetFlowIntegration'),
    PreviewRoute: route('POST /v2/preview', 'PreviewIntegration'),
  },
};

let folder: string;
let lambda: LambdaService;
let gateway: LoopbackServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stack-'));
  for (const [id, source] of Object.entries(code)) {
    await mkdir(join(folder, `asset.${id}`));
    await writeFile(join(folder, `asset.${id}`, 'index.mjs'), source);
  }
  const file = join(folder, 'Stack.template.json');
  await writeFile(file, JSON.stringify(template));
  const stack = readTemplate(file);
  const resolve = createResolver(stack, { resource: () => undefined });
  const credentialsOf = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: 'unused' });
  const functions = readFunctions(stack, resolve);
  lambda = await startLambda({ functions, environment: {}, credentialsOf, onLog() {} });
  gateway = await startGateway({ port: 0, api: readHttpApi(stack, resolve), invoke: lambda.invoke, onError() {} });
});

afterAll(async () => {
  await gateway.close();
  await lambda.close();
  await rm(folder, { recursive: true });
});

const request = (path: string, init?: RequestInit) => fetch(gateway.url + path, init);

describe('a template, served', () => {
  it('runs the function of the route, with its environment', async () => {
    const response = await request('/v2/flows/f%201');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ flow: 'f 1', table: 'Table' });
  });

  it('carries binary bodies in both directions', async () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const response = await request('/v2/preview', { method: 'POST', body });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
  });

  it('carries large texts in both directions', async () => {
    const body = 'ü'.repeat(2_500_000);
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    expect(await (await request('/v2/preview', { method: 'POST', body, headers })).text()).toBe(body);
  });

  it.each([
    ['a function that throws', '/v2/preview?throw', '', 500, 'Internal Server Error'],
    ['a response that is too large', '/v2/preview?big', '', 500, 'Internal Server Error'],
    ['an event that is too large', '/v2/preview', 'x'.repeat(6_291_456), 413, 'Request Entity Too Large'],
  ])('responds to %s as the gateway does', async (_, path, body, status, message) => {
    const response = await request(path, { method: 'POST', body });
    expect([response.status, await response.json()]).toEqual([status, { message }]);
  });
});
