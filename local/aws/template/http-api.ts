import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import { referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import { type Template, TemplateError } from './template.ts';

export interface Route {
  /** `METHOD /path`, `ANY /path` or `$default`. */
  readonly routeKey: string;
  readonly functionName: string;
  readonly timeoutMilliseconds: number;
  /** The id of its authorizer; a public route has none. */
  readonly authorizer?: string;
}

export interface Authorizer {
  readonly id: string;
  readonly functionName: string;
  /** For example `$request.header.Authorization`. */
  readonly identitySources: readonly string[];
  /** How long a decision is cached. 0 turns the cache off. */
  readonly ttlSeconds: number;
}

export interface HttpApi {
  readonly logicalId: string;
  readonly routes: readonly Route[];
  readonly authorizers: readonly Authorizer[];
}

const apiPropertiesSchema = z.object({
  ProtocolType: z.literal('HTTP'),
  CorsConfiguration: z.optional(z.undefined('the local world does not serve CORS')),
});
const stagePropertiesSchema = z.object({ StageName: z.literal('$default') });
const integrationPropertiesSchema = z.object({
  IntegrationType: z.literal('AWS_PROXY'),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z._default(z.int().check(z.gte(50), z.lte(30_000)), 30_000),
});
const authorizerPropertiesSchema = z.object({
  AuthorizerType: z.literal('REQUEST'),
  AuthorizerPayloadFormatVersion: z.literal('2.0'),
  EnableSimpleResponses: z.literal(true),
  AuthorizerResultTtlInSeconds: z._default(z.int().check(z.gte(0), z.lte(3600)), 300),
  IdentitySource: z.array(z.string()),
});
/** `$default`, or a method and a path. `{name}` is a whole segment, and `{name+}` the last one. */
const routeKeyPattern =
  /^(\$default|(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) (\/|(\/([^\s/{}]+|\{[\w.-]+\}))*(\/\{[\w.-]+\+\})?))$/;
const routePropertiesSchema = z.object({
  RouteKey: z.string().check(z.regex(routeKeyPattern)),
  AuthorizationType: z._default(z.enum(['NONE', 'CUSTOM']), 'NONE'),
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
      return {
        routeKey: properties.RouteKey,
        ...integration,
        ...(properties.AuthorizationType === 'CUSTOM' && {
          authorizer: referenceTo(template, 'AWS::ApiGatewayV2::Authorizer', resource.Properties.AuthorizerId),
        }),
      };
    },
  );
}

function demandDistinct(routes: readonly Route[]): void {
  const repeated = routes.find(({ routeKey }, index) => routes.findIndex((one) => one.routeKey === routeKey) < index);
  if (repeated) throw new TemplateError(`two routes have the key ${repeated.routeKey}`);
}

function readAuthorizers(template: Template, resolve: Resolve): Authorizer[] {
  return mapResources(
    template,
    resolve,
    'AWS::ApiGatewayV2::Authorizer',
    authorizerPropertiesSchema,
    ({ logicalId, resource, properties }): Authorizer => {
      const { IdentitySource: identitySources, AuthorizerResultTtlInSeconds: ttlSeconds } = properties;
      if (ttlSeconds > 0 && identitySources.length === 0) {
        throw new TemplateError('caches its decisions, but has no identity source to find them by');
      }
      const functionName = functionOf(template, resource.Properties.AuthorizerUri);
      return { id: logicalId, functionName, identitySources, ttlSeconds };
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
  const routes = readRoutes(template, resolve);
  demandDistinct(routes);
  return { logicalId, routes, authorizers: readAuthorizers(template, resolve) };
}
