import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createFlow } from '#functions/flows/contracts.ts';
import { deliverNotifications, exchangeFlowData, sweepDeliveries } from '#functions/operations.ts';
import { getWebhook } from '#functions/webhooks/contracts.ts';
import { startLambda } from '#local/aws/lambda/lambda-service.ts';
import type { FunctionDefinition } from '#local/aws/template/functions.ts';
import { createToken } from '#shared/accounts/token.ts';
import { lazy } from '#shared/base/cache.ts';
import { newId } from '#shared/base/ids.ts';
import { testCredentials } from '../../support/aws/aws-credentials.ts';
import { httpEvent } from '../../support/aws/http-event.ts';
import { createFunction } from '../../support/aws/lambda-function.ts';
import { readLogMetrics } from '../../support/aws/log-metrics.ts';
import { lambdaFunctions, prodTemplate } from '../../support/aws/synthesised-template.ts';

const countsFor = readLogMetrics();

/** What a function prints for events in the local Lambda, one after the other. */
async function printedBy(definition: FunctionDefinition, ...events: unknown[]): Promise<string[]> {
  const lines: string[] = [];
  const lambda = await startLambda({
    functions: [definition],
    // Nobody listens there.
    environment: { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1', AWS_MAX_ATTEMPTS: '1' },
    credentialsOf: () => testCredentials,
    onLog: (_, line) => lines.push(line),
  });
  onTestFinished(() => lambda.close());
  for (const event of events) await lambda.invoke(definition.name, JSON.stringify(event));
  await lambda.close();
  return lines;
}

const counted: [event: string, metric: string, functions: string[]][] = [
  ['request.failed', 'FunctionFailures', [createFlow.name, exchangeFlowData.name]],
  ['upstream.credentials-rejected', 'UpstreamCredentialsRejected', [createFlow.name]],
  ['upstream.failed', 'UpstreamFailures', [createFlow.name]],
  ['endpoint.failed', 'EndpointFailures', [exchangeFlowData.name]],
  ['delivery.failed', 'DeliveryFailures', [deliverNotifications.name]],
  ['delivery.requeue-limit', 'DeliveryRecursion', [deliverNotifications.name]],
  ['target.paused', 'TargetsPaused', [deliverNotifications.name, sweepDeliveries.name]],
];

const uncounted: [what: string, statement: string][] = [
  ['another event', "log('error', 'request.failed-again')"],
  ['the same in capitals', "log('error', 'REQUEST.FAILED')"],
  ['the event beside others', "console.error('request', { event: 'request.failed' })"],
  ['a second argument', "console.error({ event: 'request.failed' }, 'details')"],
  ['JSON as text', "console.error(JSON.stringify({ event: 'request.failed' }))"],
  ['one level deeper', "console.error({ message: { event: 'request.failed' } })"],
  ['the event in another member', "log('error', 'flow.saved', { cause: 'request.failed' })"],
  ['what JSON cannot say', "console.error({ event: 'request.failed', size: 1n })"],
  ['a raw line', `process.stdout.write('{"event":"request.failed"}\\n')`],
];

/** Logs an event as the service does, with details. */
const logged = (event: string) => `log('error', '${event}', { absent: undefined, stack: 'a\\nb', count: 1 })`;

const likeReport = "console.error({ type: 'platform.report', record: { status: 'error' } })";

/** The line that each statement prints in one function, whose start takes longest. */
const lines = lazy(async () => {
  const statements = [
    ...counted.map(([event]) => logged(event)),
    ...uncounted.map(([, statement]) => statement),
    likeReport,
  ];
  const logger = pathToFileURL(join(import.meta.dirname, '../../shared/base/logger.ts')).href;
  const functions = statements.map((statement) => `() => { ${statement}; }`);
  const source = `import { log } from '${logger}'; const statements = [${functions}];
    export const handler = async (index) => statements[index]();`;
  const printed = await printedBy(await createFunction(source), ...statements.keys());
  expect(printed).toHaveLength(statements.length);
  return new Map(statements.map((statement, index) => [statement, String(printed[index])]));
});

async function printed(statement: string): Promise<string> {
  const line = (await lines()).get(statement);
  if (line === undefined) throw new Error(`No function runs ${statement}`);
  return line;
}

const environment = {
  BASE_URL: 'https://api.example.com',
  PUBLIC_URL: 'https://api.example.com',
  DELIVERY_RETRY_SCHEDULE: '1',
  DELIVERY_TIMEOUT_MS: '1000',
  DEPLOYMENT_ID: 'deployment',
  EGRESS_ALLOWED_CIDRS: '',
  OWN_URLS: '',
  QUEUE_URL: 'http://127.0.0.1:1/queue',
  TABLE_NAME: 'table',
  BUCKET_NAME: 'bucket',
};

const deployed = (name: string): FunctionDefinition => ({
  logicalId: 'Function',
  name,
  assetFolder: join(inject('functionsDirectory'), name),
  handler: 'index.handler',
  timeoutSeconds: 29,
  memoryMegabytes: 256,
  environment,
  role: 'Role',
});

describe('an event that the service logs counts for its metric, in the logs of the functions that log it:', () => {
  it.each(counted)('%s for %s', async (event, metric, names) => {
    const line = await printed(logged(event));
    for (const name of names) expect([name, countsFor(name, line)]).toEqual([name, [metric]]);
  });
});

describe('a line that is almost such an event counts for nothing:', () => {
  it.each(uncounted)('%s', async (_, statement) => {
    expect(countsFor(createFlow.name, await printed(statement))).toEqual([]);
  });

  it('the event of another function', async () => {
    const line = await printed(logged('delivery.failed'));
    expect(countsFor(createFlow.name, line)).toEqual([]);
  });
});

describe('a deployed function', () => {
  it('whose table is out of reach counts as a failure of the service', async () => {
    const event = httpEvent({
      routeKey: `${getWebhook.method} ${getWebhook.path}`,
      pathParameters: { number: newId() },
      caller: `Bearer ${createToken()}`,
    });
    const lines = await printedBy(deployed(getWebhook.name), event);
    expect(lines.flatMap((line) => countsFor(getWebhook.name, line))).toEqual(['FunctionFailures']);
  });

  it('that cannot handle a message counts as a failure of deliveries', async () => {
    const lines = await printedBy(deployed(deliverNotifications.name), {
      Records: [{ messageId: 'id', body: 'poison' }],
    });
    expect(lines.flatMap((line) => countsFor(deliverNotifications.name, line))).toEqual(['DeliveryFailures']);
  });
});

/**
 * What Lambda writes to the log group for an invocation, with the levels of its developer guide ("Log-level
 * filtering"). Records as in "Telemetry API Event schema reference".
 */
const platform = (type: string, record: object) =>
  JSON.stringify({ time: '2026-01-01T00:00:00.000Z', type: `platform.${type}`, record });
const metrics = { durationMs: 693.92, billedDurationMs: 694, memorySizeMB: 256, maxMemoryUsedMB: 84 };
const init = { initializationType: 'on-demand', phase: 'init' };
const requestId = '6d68ca91-49c9-448d-89b8-7ca3e6dc66aa';
const start = platform('start', { requestId, version: '$LATEST' });
const initFailed = [
  platform('initRuntimeDone', { ...init, status: 'error', errorType: 'Runtime.ImportModuleError' }),
  platform('initReport', { ...init, status: 'error', errorType: 'Runtime.ImportModuleError', metrics }),
];
const ended = (status: string, errorType?: string) => [
  platform('runtimeDone', { requestId, status, errorType, metrics: { durationMs: 693.9 } }),
  platform('report', { requestId, status, metrics }),
];

describe('an invocation that fails counts once, whatever else Lambda writes about it:', () => {
  it.each([
    ['a crash', [start, ...ended('error', 'Runtime.ExitError')]],
    ['an error that the handler throws', [start, ...ended('error', 'Error')]],
    ['no memory', [start, ...ended('error', 'Runtime.OutOfMemory')]],
    ['a fault of Lambda', [start, ...ended('failure')]],
    ['a timeout', [start, ...ended('timeout')]],
    ['an initialisation that fails twice', [...initFailed, start, ...initFailed, ...ended('error')]],
  ])('%s', (_, lines) => {
    const counted = (name: string) => lines.flatMap((line) => countsFor(name, line));
    expect(counted(createFlow.name)).toEqual(['FunctionFailures']);
    expect(counted(exchangeFlowData.name)).toEqual(['FunctionFailures']);
    expect(counted(deliverNotifications.name)).toEqual(['DeliveryFailures']);
  });

  it('an initialisation that fails once counts for nothing, for the request succeeds', () => {
    const succeeded = platform('report', { requestId, status: 'success', metrics });
    for (const line of [...initFailed, start, succeeded]) expect(countsFor(createFlow.name, line)).toEqual([]);
  });

  it('a line of our own that looks like a report counts for nothing', async () => {
    const line = await printed(likeReport);
    expect(countsFor(createFlow.name, line)).toEqual([]);
  });
});

it('the log of no function leaves out what is counted: Lambda writes its JSON format from the level INFO on', () => {
  for (const { Properties } of lambdaFunctions(prodTemplate())) {
    // Without levels of its own, a function has INFO for both kinds of lines (Lambda, "Configuring JSON and plain text
    // log formats").
    expect(Properties.LoggingConfig).toEqual({ LogFormat: 'JSON', LogGroup: expect.anything() });
  }
});
