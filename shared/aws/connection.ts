import { NodeHttpHandler } from '@smithy/node-http-handler';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Where an AWS service is, and as whom to call it. */
export interface Connection {
  endpoint: string;
  region: string;
  /** The credentials, or a function that returns the current ones if they expire. */
  credentials: Credentials | (() => Promise<Credentials>);
  /** Milliseconds for one attempt, in place of those that suit AWS. */
  timeoutMs?: number;
}

/** The services that functions call, and the variables that replace their addresses. */
const variableOf = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  s3: 'AWS_ENDPOINT_URL_S3',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  sqs: 'AWS_ENDPOINT_URL_SQS',
} as const;

export type AwsService = keyof typeof variableOf;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a connection from the variables that Lambda sets for every function. `AWS_ENDPOINT_URL_…` replaces the address
 * of the service, as it does for the SDK. The local world sets `AWS_ATTEMPT_TIMEOUT_MS`, because its services share the
 * machine with all that calls them.
 *
 * @throws Error when a call is made without a region or credentials.
 */
export function connectionFrom(environment: Environment, service: AwsService): Connection {
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_ATTEMPT_TIMEOUT_MS: timeoutMs,
  } = environment;
  return {
    endpoint: endpointFrom(environment, service, region ?? ''),
    region: region ?? '',
    credentials:
      region && accessKeyId && secretAccessKey
        ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
        : missingVariables,
    ...(timeoutMs && { timeoutMs: Number(timeoutMs) }),
  };
}

async function missingVariables(): Promise<never> {
  throw new Error('The environment needs AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
}

/** The address of a service in a region, unless `environment` has another one. */
export function endpointFrom(environment: Environment, service: AwsService, region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return environment[variableOf[service]] || environment.AWS_ENDPOINT_URL || `https://${service}.${region}.${domain}`;
}

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
