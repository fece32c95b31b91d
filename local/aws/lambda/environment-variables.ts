import { delimiter } from 'node:path';
import type { Credentials } from '../base/signatures/signature-v4.ts';
import type { FunctionDefinition } from '../template/functions.ts';

export interface SandboxIdentity {
  readonly credentials: Credentials;
  readonly region: string;
  readonly logStream: string;
}

/**
 * The whole environment of a function's process: what Lambda sets, what the function's template sets, and the addresses
 * of the local services. Nothing is inherited, so that a missing variable is noticed here and not in production. There
 * is no `AWS_LAMBDA_RUNTIME_API`: events come through a pipe. The level of the log is Lambda's default for JSON logs.
 */
export function environmentVariables(
  definition: FunctionDefinition,
  world: Readonly<Record<string, string>>,
  { credentials, region, logStream }: SandboxIdentity,
): Record<string, string> {
  return {
    ...definition.environment,
    ...world,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken ?? '',
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_LEVEL: 'INFO',
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    AWS_REGION: region,
    LAMBDA_TASK_ROOT: definition.assetFolder,
    LANG: 'en_US.UTF-8',
    PATH: ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    TZ: ':UTC',
    _HANDLER: definition.handler,
  };
}
