import { describe, expect, it } from 'vitest';
import { graphFunctions, operations } from '#functions/operations.ts';
import { functionBehind } from '#shared/operations/contract.ts';
import { devTemplate, functionNamed, render, resourcesOfType } from '../../support/aws/synthesised-template.ts';

interface RouteProperties {
  RouteKey: string;
  Target: unknown;
}

/**
 * An addition to this list opens a route to everyone, or to the upstream, whose requests are checked by their
 * signature.
 */
const openRoutes = {
  public: [
    'GET /v2/flows/preview/assets/{file}',
    'GET /v2/flows/preview/{preview}',
    'GET /v2/flows/{flow}/files/{file}',
    'GET /v2/openapi.json',
    'POST /v2/flows/preview/{preview}',
    'POST /v2/flows/preview/{preview}/exchange',
  ],
  upstream: ['GET /v2/messaging/events', 'POST /v2/flows/{flow}/endpoint', 'POST /v2/messaging/events'],
} as const;

const template = devTemplate();
const routes = resourcesOfType<RouteProperties>(template, 'AWS::ApiGatewayV2::Route').map(
  ({ Properties }) => Properties,
);

describe('the routes', () => {
  it("include each operation exactly once, and those of Graph's paths", () => {
    const ofGraph = graphFunctions.flatMap(({ routes = [] }) => routes);
    const ofOperations = operations.map(({ method, path }) => `${method} ${path}`);
    expect(routes.map(({ RouteKey }) => RouteKey).sort()).toEqual([...ofOperations, ...ofGraph].sort());
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'invoke the function of %s',
    (_, operation) => {
      const { method, path } = operation;
      const route = routes.find(({ RouteKey }) => RouteKey === `${method} ${path}`);
      const integration = resourcesOfType(template, 'AWS::ApiGatewayV2::Integration').find(
        ({ logicalId }) => render(route?.Target) === `integrations/<${logicalId}>`,
      );
      expect(render(integration?.Properties.IntegrationUri)).toBe(
        `<${functionNamed(template, functionBehind(operation)).logicalId}.Arn>`,
      );
    },
  );

  it.each(Object.entries(openRoutes))(
    'are open to %s callers only for the operations that declare it',
    (who, expected) => {
      const open = operations.filter(({ caller }) => caller === who).map(({ method, path }) => `${method} ${path}`);
      expect(open.sort()).toEqual(expected);
    },
  );
});

describe('the stage', () => {
  const [stage] = resourcesOfType<{ StageName: string; AccessLogSettings: { Format: string } }>(
    template,
    'AWS::ApiGatewayV2::Stage',
  );

  it('is the default stage without a name in the paths, and limits the rate', () => {
    expect(stage?.Properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
    });
  });

  it('logs to a group whose name the next stack can have, too, because it contains the id of the stack', () => {
    const names = resourcesOfType<{ LogGroupName?: unknown }>(template, 'AWS::Logs::LogGroup').flatMap(
      ({ Properties }) => (Properties.LogGroupName ? [render(Properties.LogGroupName)] : []),
    );
    expect(names).toEqual(['/aws/vendedlogs/messaging-dev/access-<AWS::StackId> by /[2]']);
  });

  it('logs every request as JSON, without secrets', () => {
    const fields = JSON.parse(stage?.Properties.AccessLogSettings.Format ?? '');
    expect(Object.keys(fields)).toEqual(
      expect.arrayContaining(['requestId', 'routeKey', 'status', 'latency', 'integrationError', 'ip']),
    );
    expect(Object.values(fields).join(' ')).not.toMatch(/header|query|path|body|user|principal|authorizer/i);
  });
});
