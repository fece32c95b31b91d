/** CloudWatch Logs adds this to the bytes of each line (CloudWatch pricing, "Logs"). */
const bytesForEachLine = 26;

export const loggedBytes = (line: string): number => Buffer.byteLength(line) + bytesForEachLine;

const id = '00000000-0000-4000-8000-000000000000';
const time = '2026-01-01T00:00:00.000Z';

/**
 * Lambda's own lines about an invocation in its JSON format (Lambda telemetry, `platform.start` and `platform.report`).
 */
const platformLines = [
  { time, type: 'platform.start', record: { requestId: id, version: '$LATEST' } },
  {
    time,
    type: 'platform.report',
    record: {
      requestId: id,
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
 * A TLS handshake as the client sends it, with the headers of TCP and IP. Most of it is a key exchange with ML-KEM; the
 * certificates go the other way.
 */
const handshakeBytes = 2_100;

/** Headers of TCP, IP and TLS around a request or a response. */
const wrappingBytes = 200;

/** Headers and body of a notification with a line of text. */
const requestBytes = 1_000;

/** The bytes that its POST sends on a new connection: with rare notifications, no connection stays open. */
export const notificationPostBytes = requestBytes + wrappingBytes + handshakeBytes;

/** The bytes of the response to the platform's request, on a connection that stays open. */
export const eventResponseBytes = 300 + wrappingBytes;
