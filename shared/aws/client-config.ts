import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Connection } from './connection.ts';

/** The maximum number of requests that one call makes. */
export const maxAttempts = 3;

/** Milliseconds for a new connection to AWS. The handler also counts the wait for one of its 50 connections. */
const awsConnectionMs = 1_000;

interface Options {
  /** Whether responses are read as they arrive, by readers that may pause. */
  streams?: boolean;
}

/**
 * The configuration of every client of the SDK. All that the SDK would otherwise look up, in files or by rules, is
 * given, and it keeps what it has resolved from call to call.
 *
 * @param awsTimeoutMs milliseconds until an attempt has a response, and then between its bytes, unless the connection
 *   has others
 */
export function clientConfig(
  { endpoint, region, credentials, timeoutMs }: Connection,
  awsTimeoutMs: number,
  options?: Options,
) {
  return {
    endpoint,
    region,
    credentials,
    maxAttempts,
    retryMode: 'standard',
    requestHandler: requestHandler(timeoutMs ?? awsTimeoutMs, timeoutMs ?? awsConnectionMs, options),
    cacheMiddleware: true,
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: [] as string[],
    userAgentAppId: undefined,
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
  } as const;
}

type Handler = Pick<NodeHttpHandler, 'handle' | 'destroy' | 'metadata'>;

/**
 * The SDK's own handler, but repeated attempts open connections of their own: a function that was frozen finds its kept
 * ones closed, each of which would cost an attempt.
 */
function requestHandler(requestTimeout: number, connectionTimeout: number, { streams = false }: Options = {}): Handler {
  const timeouts = {
    connectionTimeout,
    requestTimeout,
    throwOnRequestTimeout: true,
    ...(!streams && { socketTimeout: requestTimeout }),
  };
  const kept = new NodeHttpHandler(timeouts);
  const unkept = { keepAlive: false };
  const fresh = new NodeHttpHandler({ ...timeouts, httpAgent: unkept, httpsAgent: unkept });
  return {
    metadata: kept.metadata,
    handle: (request, options) => (isFirst(request.headers) ? kept : fresh).handle(request, options),
    destroy() {
      kept.destroy();
      fresh.destroy();
    },
  };
}

/** The SDK says it in a header, `attempt=2; max=3`. */
const isFirst = (headers: Readonly<Record<string, string>>) => !/attempt=[^1]/.test(headers['amz-sdk-request'] ?? '');
