import type { Connection } from './connection.ts';
import { requestHandler } from './request-handler.ts';

/** The maximum number of requests that one call makes. */
export const maxAttempts = 3;

/**
 * The configuration of every client of the SDK. All that the SDK would otherwise look up, in files or by rules, is
 * given, and it keeps what it has resolved from call to call.
 *
 * @param awsTimeoutMs milliseconds for one attempt, unless the connection has others
 */
export function clientConfig({ endpoint, region, credentials, timeoutMs }: Connection, awsTimeoutMs: number) {
  return {
    endpoint,
    region,
    credentials,
    maxAttempts,
    retryMode: 'standard',
    requestHandler: requestHandler(timeoutMs ?? awsTimeoutMs),
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
