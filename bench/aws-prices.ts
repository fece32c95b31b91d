/**
 * List prices in us-east-1, in dollars: DynamoDB on demand in the standard class, standard queues, Lambda on arm64, an
 * HTTP API. The first tier of each, without the free tier, from AWS's pages of prices of 24 November 2026. Where a page
 * was not readable, because it loads prices by script, the price is from a public copy of 2026.
 */
const prices = {
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /**
   * With the surcharge of fair queues. A request covers at most 64 KB. A batch of ten text messages is well below that.
   */
  queueRequest: (0.4 + 0.1) / 1e6,
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  apiRequest: 1 / 1e6,
  secretRequest: 0.05 / 1e4,
  loggedGigabyte: 0.5,
  sentGigabyte: 0.09,
} as const;

/** What AWS charges by use, without stored data and monthly charges. */
interface Usage {
  apiRequests: number;
  invocations: number;
  gigabyteSeconds: number;
  queueRequests: number;
  writeUnits: number;
  readUnits: number;
  secretRequests: number;
  loggedBytes: number;
  /** To the internet. */
  sentBytes: number;
}

/** What the usage costs, by what is charged for. */
export function dollarsOf(usage: Usage) {
  return {
    'API Gateway': usage.apiRequests * prices.apiRequest,
    Lambda: usage.invocations * prices.invocation + usage.gigabyteSeconds * prices.gigabyteSecond,
    SQS: usage.queueRequests * prices.queueRequest,
    DynamoDB: usage.writeUnits * prices.writeUnit + usage.readUnits * prices.readUnit,
    'Secrets Manager': usage.secretRequests * prices.secretRequest,
    Logs: (usage.loggedBytes / 1e9) * prices.loggedGigabyte,
    'Data out': (usage.sentBytes / 1e9) * prices.sentGigabyte,
  };
}

/** CloudWatch Logs adds this to the bytes of each line (CloudWatch pricing, "Logs"). */
const bytesForEachLine = 26;

export const loggedBytes = (line: string): number => Buffer.byteLength(line) + bytesForEachLine;

const requestId = '00000000-0000-4000-8000-000000000000';
const time = '2026-01-01T00:00:00.000Z';

/**
 * Lambda's own lines about an invocation in its JSON format (Lambda telemetry, `platform.start` and `platform.report`).
 */
const platformLines = [
  { time, type: 'platform.start', record: { requestId, version: '$LATEST' } },
  {
    time,
    type: 'platform.report',
    record: {
      requestId,
      metrics: { durationMs: 250.001, billedDurationMs: 251, memorySizeMB: 512, maxMemoryUsedMB: 120 },
      status: 'success',
    },
  },
];

/** The bytes that Lambda logs about each invocation that needs no new process. */
export const platformLogBytes = platformLines.reduce((sum, line) => sum + loggedBytes(JSON.stringify(line)), 0);

/** What an HTTP API logs about a request, in a format of JSON with `$context` variables. */
export function accessLogBytes(format: string): number {
  const values: Record<string, string> = {
    requestTime: '01/Jan/2026:00:00:00 +0000',
    requestId: 'AbCdEfGhIjKlMnO=',
    'identity.sourceIp': '203.0.113.100',
    routeKey: 'POST /v2/messaging/events',
    status: '200',
    responseLatency: '50',
  };
  return loggedBytes(format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-'));
}

/**
 * A POST of a notification with a line of text on a new connection (with rare notifications, none stays open): headers
 * and body, what TCP, IP and TLS wrap around them, and a handshake with ML-KEM, whose certificates go the other way.
 */
export const notificationPostBytes = 1_000 + 200 + 2_100;

/** The response to the platform's request, on a connection that stays open. */
export const eventResponseBytes = 300 + 200;
