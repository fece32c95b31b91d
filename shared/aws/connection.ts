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
