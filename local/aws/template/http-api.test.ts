import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, roleResource, templateOf } from '#support/aws/template.ts';
import { readHttpApi } from './http-api.ts';

const resources = {
  Role: roleResource,
  Op: functionResource('ListFlows'),
  Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
  Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: '$default' } },
  Integration: {
    Type: 'AWS::ApiGatewayV2::Integration',
    Properties: {
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: { 'Fn::GetAtt': ['Op', 'Arn'] },
      PayloadFormatVersion: '2.0',
    },
  },
  GetFlow: {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      RouteKey: 'GET /v2/flows/{flow}',
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
    },
  },
} as const;

const read = (changes: Record<string, unknown> = {}) => {
  const template = templateOf({ ...resources, ...changes } as Parameters<typeof templateOf>[0]);
  return readHttpApi(template, resolverOf(template));
};
const changed = (logicalId: keyof typeof resources, properties: Record<string, unknown>) => ({
  [logicalId]: { ...resources[logicalId], Properties: { ...resources[logicalId].Properties, ...properties } },
});

describe('readHttpApi', () => {
  it('reads routes with their functions', () => {
    expect(read()).toEqual({
      logicalId: 'Api',
      routes: [{ routeKey: 'GET /v2/flows/{flow}', functionName: 'ListFlows', timeoutMilliseconds: 30_000 }],
    });
  });

  it.each([
    ['an authorizer', changed('GetFlow', { AuthorizationType: 'CUSTOM' }), 'GetFlow (AWS::ApiGatewayV2::Route)'],
    ['a route to nothing', changed('GetFlow', { Target: 'integrations/x' }), 'GetFlow (AWS::ApiGatewayV2::Route)'],
    ['a route for the rest', changed('GetFlow', { RouteKey: '$default' }), 'GetFlow (AWS::ApiGatewayV2::Route)'],
    [
      'a greedy route for all paths',
      changed('GetFlow', { RouteKey: 'GET /{all+}' }),
      'GetFlow (AWS::ApiGatewayV2::Route)',
    ],
    [
      'an integration that is not a function',
      changed('Integration', { IntegrationType: 'HTTP_PROXY' }),
      'Integration (',
    ],
    ['payload format 1.0', changed('Integration', { PayloadFormatVersion: '1.0' }), 'Integration ('],
    ['CORS', changed('Api', { CorsConfiguration: {} }), 'does not serve CORS'],
    ['a stage with a name', changed('Stage', { StageName: 'dev' }), 'Stage (AWS::ApiGatewayV2::Stage)'],
    ['a second API', { Other: resources.Api }, 'expected one AWS::ApiGatewayV2::Api, found 2'],
  ])('rejects an API with %s', (_, changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });
});
