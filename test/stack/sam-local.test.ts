import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { samEnvironment } from '#infra/write-sam-env.ts';
import { functionsBehind } from '#shared/http/contract/contract.ts';
import {
  devTemplate,
  functionId,
  lambdaFunctions,
  pascalCase,
  render,
  resourcesOfType,
} from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

const template = devTemplate();
const lambdas = lambdaFunctions(template);
const properties = (type: string) => resourcesOfType(template, type).map(({ Properties }) => Properties);
const lambdaArns = lambdas.map(({ logicalId }) => `<${logicalId}.Arn>`);

/** What `sam local` needs of a synthesised template, as its sources have it. `npm run judges` runs it. */
describe('the template, for sam local', () => {
  it('1: names the folder of every function', () => {
    expect(lambdas.length).toBeGreaterThan(0);
    for (const { Metadata } of lambdas) {
      expect(Metadata).toMatchObject({ 'aws:asset:path': expect.any(String), 'aws:asset:property': 'Code' });
    }
  });

  it('2: has the handler in each of these folders', () => {
    for (const { Metadata, Properties } of lambdas) {
      expect(Properties.Handler).toBe('index.handler');
      const folder = resolve(inject('assemblyDirectory'), String(Metadata['aws:asset:path']));
      expect(existsSync(join(folder, 'index.mjs')), folder).toBe(true);
    }
  });

  it('3: contains the metadata of assets and paths without the CDK command line', () => {
    for (const { Metadata } of lambdas) {
      expect(Object.keys(Metadata)).toEqual(expect.arrayContaining(['aws:asset:path', 'aws:cdk:path']));
    }
  });

  it('4: uses a runtime and architectures that sam local knows', () => {
    for (const { Properties } of lambdas) {
      expect(Properties.Runtime).toBe('nodejs24.x');
      expect(['arm64', 'x86_64']).toContain(Properties.Architectures[0]);
    }
  });

  it('5: contains the API, routes, integrations and functions together', () => {
    expect(properties('AWS::ApiGatewayV2::Api')).toHaveLength(1);
    expect(properties('AWS::ApiGatewayV2::Route')).toHaveLength(operations.length);
    expect(properties('AWS::ApiGatewayV2::Integration')).toHaveLength(functionsBehind(operations).length);
    expect(properties('AWS::CloudFormation::Stack')).toEqual([]);
  });

  it('6: routes as "METHOD /path" to "integrations/…"', () => {
    for (const { RouteKey, Target } of properties('AWS::ApiGatewayV2::Route')) {
      expect(RouteKey).toMatch(/^(GET|POST|PUT|DELETE) \/v2\//);
      expect(render(Target)).toMatch(/^integrations\/<\w+>$/);
    }
  });

  it('7: integrates functions of this template', () => {
    for (const { IntegrationUri } of properties('AWS::ApiGatewayV2::Integration')) {
      expect(lambdaArns).toContain(render(IntegrationUri));
    }
  });

  it('8: uses payload format 2.0', () => {
    for (const { PayloadFormatVersion } of properties('AWS::ApiGatewayV2::Integration')) {
      expect(PayloadFormatVersion).toBe('2.0');
    }
  });

  it('9: has no authorizer', () => {
    expect(properties('AWS::ApiGatewayV2::Authorizer')).toEqual([]);
  });

  it('10: has no layers', () => {
    expect(properties('AWS::Lambda::LayerVersion')).toEqual([]);
    for (const { Properties } of lambdas) expect(Properties).not.toHaveProperty('Layers');
  });

  it('11: has functions whose ids stay the same if code moves', () => {
    expect(lambdas.map(({ Metadata }) => Metadata['aws:cdk:path']).sort()).toEqual(
      functions.map(({ name }) => `messaging-dev/${pascalCase(name)}/Resource`).sort(),
    );
  });

  it('12: declares every variable that env.json sets', () => {
    const samTemplate = synthesise({ samLocal: 'true' });
    const environment = samEnvironment(samTemplate, world, '172.17.0.1');
    expect(Object.keys(environment).sort()).toEqual(functions.map(({ name }) => pascalCase(name)).sort());
    for (const lambda of lambdaFunctions(samTemplate)) {
      const declared = Object.keys(lambda.Properties.Environment.Variables);
      expect(declared).toEqual(expect.arrayContaining(Object.keys(environment[String(functionId(lambda))] ?? {})));
    }
  });

  it('13: lets functions reach no private address; only env.json does', () => {
    for (const lambda of lambdaFunctions(synthesise({ samLocal: 'true' }))) {
      const { EGRESS_ALLOWED_CIDRS = '' } = lambda.Properties.Environment.Variables;
      expect(EGRESS_ALLOWED_CIDRS, lambda.logicalId).toBe('');
    }
  });

  it('14: is an HTTP API, described by resources and not by an OpenAPI document', () => {
    for (const api of properties('AWS::ApiGatewayV2::Api')) {
      expect(api.ProtocolType).toBe('HTTP');
      expect(api).not.toHaveProperty('Body');
    }
    expect(resourcesOfType(template, 'AWS::ApiGateway::RestApi')).toEqual([]);
  });
});

describe('env.json', () => {
  it('directs each function to the services of the local world that it uses', () => {
    const environment = samEnvironment(synthesise({ samLocal: 'true' }), world, '172.17.0.1');
    expect(environment.CreateFlow).toEqual({
      TABLE_NAME: 'Table',
      BUCKET_NAME: 'bucket',
      QUEUE_URL: 'http://172.17.0.1:4004/000000000000/NotificationQueue',
      SLOW_QUEUE_URL: 'http://172.17.0.1:4004/000000000000/SlowNotificationQueue',
      BASE_URL: 'http://127.0.0.1:3010',
      PUBLIC_URL: 'http://127.0.0.1:3010',
      OWN_URLS: 'http://127.0.0.1:3010',
      DEPLOYMENT_ID: 'sam-local',
      UPSTREAM_BASE_URL: 'http://172.17.0.1:3001',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128,172.17.0.1/32',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://172.17.0.1:4001',
      AWS_ENDPOINT_URL_S3: 'http://172.17.0.1:4002',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://172.17.0.1:4003',
      AWS_ENDPOINT_URL_SQS: 'http://172.17.0.1:4004',
    });
    expect(environment.DeliverNotifications).toMatchObject({
      QUEUE_URL: 'http://172.17.0.1:4004/000000000000/NotificationQueue',
      SLOW_QUEUE_URL: 'http://172.17.0.1:4004/000000000000/SlowNotificationQueue',
      AWS_ENDPOINT_URL_SQS: 'http://172.17.0.1:4004',
    });
  });

  it.each([
    [
      'template',
      { CDK_OUTDIR: '/nowhere' },
      /^\/nowhere\/\S+ cannot be read\. Run first: npm run synth -- -c samLocal=true\n$/,
    ],
    [
      'world',
      { LOCAL_DATA_DIR: '/nowhere', CDK_OUTDIR: inject('assemblyDirectory') },
      /^\/nowhere\/\S+ cannot be read\. Run first: npm start\n$/,
    ],
  ])('requires a %s, and reports that in one line', async (_, environment, line) => {
    const script = join(import.meta.dirname, '../../infra/write-sam-env.ts');
    const run = promisify(execFile)(process.execPath, [script], { env: { PATH: process.env.PATH, ...environment } });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(line) });
  });

  it('is not written for a template that would not pass on the endpoints', () => {
    expect(() => samEnvironment(template, world, '172.17.0.1')).toThrow('samLocal=true');
  });
});

const world = {
  upstream_url: 'http://127.0.0.1:3001',
  aws: {
    dynamodb: 'http://127.0.0.1:4001',
    s3: 'http://127.0.0.1:4002',
    secrets_manager: 'http://127.0.0.1:4003',
    table_name: 'Table',
    bucket_name: 'bucket',
    sqs: 'http://127.0.0.1:4004',
    queue_urls: {
      NotificationQueue: 'http://127.0.0.1:4004/000000000000/NotificationQueue',
      SlowNotificationQueue: 'http://127.0.0.1:4004/000000000000/SlowNotificationQueue',
    },
  },
};
