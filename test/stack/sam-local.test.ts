import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { functionsBehind } from '#shared/operations/contract.ts';
import {
  devTemplate,
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

  it('12: lets functions reach no private address; only env.json does', () => {
    for (const lambda of lambdaFunctions(synthesise({ samLocal: 'true' }))) {
      const { EGRESS_ALLOWED_CIDRS = '' } = lambda.Properties.Environment.Variables;
      expect(EGRESS_ALLOWED_CIDRS, lambda.logicalId).toBe('');
    }
  });

  it('13: is an HTTP API, described by resources and not by an OpenAPI document', () => {
    for (const api of properties('AWS::ApiGatewayV2::Api')) {
      expect(api.ProtocolType).toBe('HTTP');
      expect(api).not.toHaveProperty('Body');
    }
    expect(resourcesOfType(template, 'AWS::ApiGateway::RestApi')).toEqual([]);
  });
});
