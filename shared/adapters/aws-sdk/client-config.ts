import type { Connection } from './connection.ts';
import { requestHandler } from './request-handler.ts';

/** The most requests that one call makes. */
export const maxAttempts = 3;

/**
 * The configuration of every client of the SDK. All that the SDK would otherwise look up, in files or by rules, is
 * given, and it keeps what it has resolved from call to call.
 *
 * @param timeoutMs milliseconds for one attempt
 */
export function clientConfig({ endpoint, region, credentials }: Connection, timeoutMs: number) {
  return {
    endpoint,
    region,
    credentials,
    maxAttempts,
    retryMode: 'standard',
    requestHandler: requestHandler(timeoutMs),
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
