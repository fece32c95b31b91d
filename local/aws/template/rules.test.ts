import { functionResource, resolverOf, roleResource, templateOf } from '#support/aws/template.ts';
import { type StrictRule, testStrictRules } from '#support/strict-rules.ts';
import { readEventSourceMappings } from './event-source-mappings.ts';
import { readFunctions } from './functions.ts';
import { readHttpApi } from './http-api.ts';
import { readSchedules } from './schedules.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Reads a template as the local world does before it starts anything. */
function readStack(resources: Parameters<typeof templateOf>[0]) {
  const template = templateOf({ Role: roleResource, Function: functionResource('Function'), ...resources });
  const resolve = resolverOf(template);
  return [
    readFunctions(template, resolve),
    readEventSourceMappings(template, resolve),
    readSchedules(template, resolve),
    readHttpApi(template, resolve),
  ];
}

const api = {
  Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
  Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: '$default' } },
};
const stack =
  (resources: Parameters<typeof templateOf>[0] = {}) =>
  async () =>
    readStack({ ...api, ...resources });

const aFunction = (properties: Properties) => stack({ Function: functionResource('Function', properties) });
const variables = (Variables: Readonly<Record<string, string>>) => aFunction({ Environment: { Variables } });

const mapping = (properties: Properties, queue: Properties = {}, ofFunction: Properties = {}) =>
  stack({
    Function: functionResource('Function', ofFunction),
    Queue: { Type: 'AWS::SQS::Queue', Properties: queue },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
        FunctionName: { Ref: 'Function' },
        ...properties,
      },
    },
  });

const schedule = (ScheduleExpression: string, target: Properties = {}) =>
  stack({
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: { ScheduleExpression, Targets: [{ Arn: { 'Fn::GetAtt': ['Function', 'Arn'] }, ...target }] },
    },
  });

const Arn = { 'Fn::GetAtt': ['Function', 'Arn'] };
const integration = (properties: Properties = {}) => ({
  Integration: {
    Type: 'AWS::ApiGatewayV2::Integration',
    Properties: {
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
      IntegrationUri: Arn,
      ...properties,
    },
  },
});
const routes = (...keys: string[]) =>
  stack({
    ...integration(),
    ...Object.fromEntries(
      keys.map((RouteKey, index) => [
        `Route${index}`,
        { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey, Target: { Ref: 'Integration' } } },
      ]),
    ),
  });

/**
 * What a deployment rejects. `page` is an action of the API Reference of the service, or the title of a page of its
 * Developer Guide.
 */
const rules: readonly Omit<StrictRule, 'error'>[] = [
  {
    rule: 'a function may take at least 1 s',
    page: 'Lambda: CreateFunction, "Timeout"',
    accepted: aFunction({ Timeout: 1 }),
    rejected: aFunction({ Timeout: 0 }),
    message: 'Timeout',
  },
  {
    rule: 'a function may take at most 900 s',
    page: 'Lambda: Lambda quotas',
    accepted: aFunction({ Timeout: 900 }),
    rejected: aFunction({ Timeout: 901 }),
    message: 'Timeout',
  },
  {
    rule: 'a function has at least 128 MB',
    page: 'Lambda: Lambda quotas',
    accepted: aFunction({ MemorySize: 128 }),
    rejected: aFunction({ MemorySize: 127 }),
    message: 'MemorySize',
  },
  {
    rule: 'a function has at most 10,240 MB',
    page: 'Lambda: Lambda quotas',
    accepted: aFunction({ MemorySize: 10_240 }),
    rejected: aFunction({ MemorySize: 10_241 }),
    message: 'MemorySize',
  },
  {
    rule: 'the variables of a function have at most 4 KB',
    page: 'Lambda: Lambda quotas',
    accepted: variables({ NAME: 'x'.repeat(4092) }),
    rejected: variables({ NAME: 'x'.repeat(4093) }),
    message: '4096 bytes',
  },
  {
    rule: 'the name of a variable begins with a letter and has two characters or more',
    page: 'Lambda: Environment, "Variables"',
    accepted: variables({ A1: 'x', b_: 'y' }),
    rejected: variables({ '1A': 'x' }),
    message: 'a name is invalid',
  },
  {
    rule: 'a function does not set what Lambda sets',
    page: 'Lambda: Working with Lambda environment variables',
    accepted: variables({ LANG: 'C', AWS_LAMBDA_NODEJS_DISABLE_CALLBACK_WARNING: 'true' }),
    rejected: variables({ AWS_REGION: 'eu-west-1' }),
    message: 'Lambda reserves a name',
  },
  {
    rule: 'the handler of a function has at most 128 characters',
    page: 'Lambda: CreateFunction, "Handler"',
    accepted: aFunction({ Handler: `${'x'.repeat(120)}.handler` }),
    rejected: aFunction({ Handler: `${'x'.repeat(121)}.handler` }),
    message: 'Handler',
  },
  {
    rule: 'a reserved concurrency is not negative',
    page: 'Lambda: PutFunctionConcurrency',
    accepted: aFunction({ ReservedConcurrentExecutions: 0 }),
    rejected: aFunction({ ReservedConcurrentExecutions: -1 }),
    message: 'ReservedConcurrentExecutions',
  },
  {
    rule: 'a batch has at most 10,000 messages',
    page: 'Lambda: Lambda parameters for Amazon SQS event source mappings',
    accepted: mapping({ BatchSize: 10_000, MaximumBatchingWindowInSeconds: 1 }),
    rejected: mapping({ BatchSize: 10_001, MaximumBatchingWindowInSeconds: 1 }),
    message: 'BatchSize',
  },
  {
    rule: 'a batch of more than ten messages needs a window',
    page: 'Lambda: CreateEventSourceMapping, "MaximumBatchingWindowInSeconds"',
    accepted: mapping({ BatchSize: 10 }),
    rejected: mapping({ BatchSize: 11 }),
    message: 'batches of more than 10',
  },
  {
    rule: 'a window has at most 300 s',
    page: 'Lambda: CreateEventSourceMapping, "MaximumBatchingWindowInSeconds"',
    accepted: mapping({ MaximumBatchingWindowInSeconds: 300 }),
    rejected: mapping({ MaximumBatchingWindowInSeconds: 301 }),
    message: 'MaximumBatchingWindowInSeconds',
  },
  {
    rule: 'the maximum concurrency of a queue is at least 2',
    page: 'Lambda: ScalingConfig',
    accepted: mapping({ ScalingConfig: { MaximumConcurrency: 2 } }),
    rejected: mapping({ ScalingConfig: { MaximumConcurrency: 1 } }),
    message: 'MaximumConcurrency',
  },
  {
    rule: 'the maximum concurrency of a queue is at most 1,000',
    page: 'Lambda: ScalingConfig',
    accepted: mapping({ ScalingConfig: { MaximumConcurrency: 1000 } }),
    rejected: mapping({ ScalingConfig: { MaximumConcurrency: 1001 } }),
    message: 'MaximumConcurrency',
  },
  {
    rule: 'a queue hides messages for as long as its function may take',
    page: 'Lambda: Creating and configuring an Amazon SQS event source mapping',
    accepted: mapping({}, { VisibilityTimeout: 60 }, { Timeout: 60 }),
    rejected: mapping({}, { VisibilityTimeout: 59 }, { Timeout: 60 }),
    message: 'hides messages for 59 s',
  },
  {
    rule: 'a rate has a positive value',
    page: 'EventBridge: Setting a schedule pattern for scheduled rules',
    accepted: schedule('rate(1 minute)'),
    rejected: schedule('rate(0 minutes)'),
    message: 'rate(0 minutes)',
  },
  {
    rule: 'a rate of 1 has a unit in the singular',
    page: 'EventBridge: Setting a schedule pattern for scheduled rules',
    accepted: schedule('rate(1 hour)'),
    rejected: schedule('rate(1 hours)'),
    message: 'rate(1 hours)',
  },
  {
    rule: 'a rate of more than 1 has a unit in the plural',
    page: 'EventBridge: Setting a schedule pattern for scheduled rules',
    accepted: schedule('rate(2 hours)'),
    rejected: schedule('rate(2 hour)'),
    message: 'rate(2 hour)',
  },
  {
    rule: 'the input of a target has at most 8,192 characters',
    page: 'EventBridge: Target, "Input"',
    accepted: schedule('rate(1 minute)', { Input: `"${'x'.repeat(8190)}"` }),
    rejected: schedule('rate(1 minute)', { Input: `"${'x'.repeat(8191)}"` }),
    message: 'Input',
  },
  {
    rule: 'the input of a target is JSON',
    page: 'EventBridge: Target, "Input"',
    accepted: schedule('rate(1 minute)', { Input: '{}' }),
    rejected: schedule('rate(1 minute)', { Input: '{' }),
    message: 'is not JSON',
  },
  {
    rule: 'an integration waits for at least 50 ms',
    page: 'API Gateway: CreateIntegration, "timeoutInMillis"',
    accepted: stack(integration({ TimeoutInMillis: 50 })),
    rejected: stack(integration({ TimeoutInMillis: 49 })),
    message: 'TimeoutInMillis',
  },
  {
    rule: 'an integration waits for at most 30 s',
    page: 'API Gateway: Quotas for configuring and running an HTTP API',
    accepted: stack(integration({ TimeoutInMillis: 30_000 })),
    rejected: stack(integration({ TimeoutInMillis: 30_001 })),
    message: 'TimeoutInMillis',
  },
  {
    rule: 'the key of a route has a method that there is',
    page: 'API Gateway: Create routes for HTTP APIs',
    accepted: routes('ANY /a', '$default'),
    rejected: routes('FETCH /a'),
    message: 'RouteKey',
  },
  {
    rule: 'a variable of a path is a whole segment',
    page: 'API Gateway: Create routes for HTTP APIs',
    accepted: routes('GET /a/{b}/c'),
    rejected: routes('GET /a/x{b}'),
    message: 'RouteKey',
  },
  {
    rule: 'a greedy variable is the last segment',
    page: 'API Gateway: Create routes for HTTP APIs',
    accepted: routes('GET /a/{b+}'),
    rejected: routes('GET /{b+}/c'),
    message: 'RouteKey',
  },
  {
    rule: 'the keys of routes differ',
    page: 'API Gateway: CreateRoute',
    accepted: routes('GET /a', 'POST /a'),
    rejected: routes('GET /a', 'GET /a'),
    message: 'two routes have the key GET /a',
  },
];

testStrictRules(rules.map((rule) => ({ ...rule, error: 'TemplateError' })));
