import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources, referenceTo } from './resources.ts';
import { type Template, TemplateError } from './template.ts';

export interface Route {
  /** `METHOD /path` */
  readonly routeKey: string;
  readonly functionName: string;
  readonly timeoutMilliseconds: number;
}

export interface HttpApi {
  readonly logicalId: string;
  readonly routes: readonly Route[];
}

const apiPropertiesSchema = z.object({
  ProtocolType: z.literal('HTTP'),
  CorsConfiguration: z.optional(z.undefined('the local world does not serve CORS')),
});
const stagePropertiesSchema = z.object({ StageName: z.literal('$default') });
const integrationPropertiesSchema = z.object({
  IntegrationType: z.literal('AWS_PROXY'),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z._default(z.int(), 30_000),
});
/** A method and a path. `{name}` is a whole segment, and `{name+}` at the end is one or more. */
const routeKeyPattern = /^(DELETE|GET|PATCH|POST|PUT) (\/([^\s/{}]+|\{[\w.-]+\}))+(\/\{[\w.-]+\+\})?$/;
const routePropertiesSchema = z.object({
  RouteKey: z.string().check(z.regex(routeKeyPattern)),
  AuthorizationType: z._default(z.literal('NONE'), 'NONE'),
});

const functionOf = (template: Template, expression: unknown) =>
  physicalName(template, referenceTo(template, 'AWS::Lambda::Function', expression));

function readIntegrations(template: Template, resolve: Resolve) {
  return new Map(
    mapResources(
      template,
      resolve,
      'AWS::ApiGatewayV2::Integration',
      integrationPropertiesSchema,
      ({ logicalId, resource, properties }) => [
        logicalId,
        {
          functionName: functionOf(template, resource.Properties.IntegrationUri),
          timeoutMilliseconds: properties.TimeoutInMillis,
        },
      ],
    ),
  );
}

function readRoutes(template: Template, resolve: Resolve): Route[] {
  const integrations = readIntegrations(template, resolve);
  return mapResources(
    template,
    resolve,
    'AWS::ApiGatewayV2::Route',
    routePropertiesSchema,
    ({ resource, properties }): Route => {
      const target = referenceTo(template, 'AWS::ApiGatewayV2::Integration', resource.Properties.Target);
      const integration = integrations.get(target);
      if (!integration) throw new TemplateError(`has no integration ${target}`);
      return { routeKey: properties.RouteKey, ...integration };
    },
  );
}

/** The template's only HTTP API, with the `$default` stage. */
export function readHttpApi(template: Template, resolve: Resolve): HttpApi {
  const apis = mapResources(
    template,
    resolve,
    'AWS::ApiGatewayV2::Api',
    apiPropertiesSchema,
    ({ logicalId }) => logicalId,
  );
  const [logicalId, ...others] = apis;
  if (logicalId === undefined || others.length > 0) {
    throw new TemplateError(`expected one AWS::ApiGatewayV2::Api, found ${apis.length}: ${apis.join(', ')}`);
  }
  mapResources(template, resolve, 'AWS::ApiGatewayV2::Stage', stagePropertiesSchema, () => undefined);
  return { logicalId, routes: readRoutes(template, resolve) };
}
