import { Fn, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  type CfnStage,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract, RouteKey, Traffic } from '#shared/operations/contract.ts';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';
import type { ServiceFunction } from './service-function.ts';

/** Logs the caller, the result and the duration. Headers and queries are absent because they may contain secrets. */
const accessLogFields = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
};

/** A route, and what identifies it in the template. */
interface ApiRoute {
  id: string;
  key: RouteKey;
  traffic?: Traffic | undefined;
}

export const routeOf = ({ name, method, path, traffic }: Contract): ApiRoute => ({
  id: name,
  key: `${method} ${path}`,
  traffic,
});

/** A route of a function that serves a table of paths. */
export const routeWithKey = (key: RouteKey): ApiRoute => ({ id: key.replace(/\W+/g, '-'), key });

/** The HTTP API: a route for each operation, and those of Graph's paths. Functions authorize their callers (docs/decisions/rights.md). */
export class OperationsApi extends Construct {
  readonly httpApi: HttpApi;
  readonly stage: HttpStage;
  readonly #config: Config;

  constructor(scope: Construct, id: string, { config }: { config: Config }) {
    super(scope, id);
    this.#config = config;
    this.httpApi = new HttpApi(this, 'HttpApi', { apiName: `messaging-${config.stage}`, createDefaultStage: false });
    pinLogicalId(this.httpApi, id);

    // The resource policy of the account's log groups is limited to 5,120 characters, and grows with each group that is
    // not below /aws/vendedlogs/. The part of the stack's ARN keeps the name free for the next stack if this group stays.
    const { stackName, stackId } = Stack.of(this);
    const accessLogs = new LogGroup(this, 'AccessLogs', {
      logGroupName: `/aws/vendedlogs/${stackName}/access-${Fn.select(2, Fn.split('/', stackId))}`,
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    this.stage = new HttpStage(this, 'DefaultStage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: config.throttling,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The function behind each route authorizes the caller, unless its contract opens it to the public or to the upstream, whose requests it verifies. A test calls every other function without a token (functions/operations.test.ts), and another one lists the open routes (test/stack/routes.test.ts).',
    });
  }

  /** Adds the routes that this function serves. */
  addRoutes(routes: readonly ApiRoute[], handler: ServiceFunction): void {
    // One permission for all routes of the function: each of its own would take a resource and permit nothing less,
    // because only these routes lead to the function.
    const integration = new HttpLambdaIntegration(`${handler.definition.name}-integration`, handler, {
      scopePermissionToRoute: false,
    });
    for (const route of routes) this.#addRoute(route, integration);
    Validations.of(handler).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'API Gateway calls it and waits for the response: no event is left behind that could be kept.',
    });
  }

  #addRoute({ id, key, traffic }: ApiRoute, integration: HttpLambdaIntegration): void {
    const [method, path] = key.split(' ') as [Contract['method'], string];
    const route = new HttpRoute(this, `${id}-route`, {
      httpApi: this.httpApi,
      routeKey: HttpRouteKey.with(path, HttpMethod[method]),
      integration,
    });
    const throttling = traffic && this.#config.limits[traffic].throttling;
    if (throttling) this.#limit(route, key, throttling);
  }

  #limit(route: HttpRoute, routeKey: string, { rateLimit, burstLimit }: Config['throttling']): void {
    const stage = this.stage.node.defaultChild as CfnStage;
    const limits = { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit };
    stage.routeSettings = { ...stage.routeSettings, [routeKey]: limits };
    // CloudFormation rejects settings for a route that does not exist yet.
    this.stage.node.addDependency(route);
  }
}

/** A domain of the operator's that leads to the API. The operator points its DNS at `target`. */
export class CustomDomain extends Construct {
  /** The name that DNS points the domain at. */
  readonly target: string;

  constructor(scope: Construct, id: string, domain: NonNullable<Config['domain']>, stage: HttpStage) {
    super(scope, id);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
    });
    pinLogicalId(domainName, id);
    new ApiMapping(this, 'Mapping', { api: stage.api, domainName, stage });
    this.target = domainName.regionalDomainName;
  }
}
