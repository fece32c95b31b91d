import { readFileSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loopbackCidrs } from '#shared/runtime/variables.ts';
import { assemblyDirectory, root } from './paths.ts';

/** The part of a synthesised template that `sam local` and this file read. */
export interface SamTemplate {
  Resources: Record<string, SamResource>;
}

interface SamResource {
  Type: string;
  Metadata?: Record<string, unknown>;
  Properties?: { Environment?: { Variables?: Record<string, unknown> } };
}

/** The part of `.local/world.json`, written by the running local world, that this file reads. */
export interface LocalWorld {
  upstream_url: string;
  aws: {
    dynamodb: string;
    s3: string;
    secrets_manager: string;
    sqs: string;
    table_name: string;
    bucket_name: string;
    queue_urls: Record<string, string>;
  };
}

/** An error for a missing earlier step. The command prints only its message, without a stack. */
class SamEnvironmentError extends Error {}

/** The address for `sam local start-api`. Port 3000 is taken by the local world's gateway. */
const baseUrl = 'http://127.0.0.1:3010';

/**
 * Builds the content of the file for `sam local --env-vars`. For every function, it has the variables that the template
 * leaves open or that differ on this machine, so that the function uses the data and the upstream of the running local
 * world.
 *
 * @param host address of this machine, as seen from a container
 * @throws SamEnvironmentError if the template does not declare the AWS endpoints.
 */
export function samEnvironment(
  template: SamTemplate,
  { upstream_url, aws }: LocalWorld,
  host: string,
): Record<string, Record<string, string>> {
  const values: Record<string, string> = {
    TABLE_NAME: aws.table_name,
    BUCKET_NAME: aws.bucket_name,
    QUEUE_URL: onHost(String(aws.queue_urls.NotificationQueue), host),
    SLOW_QUEUE_URL: onHost(String(aws.queue_urls.SlowNotificationQueue), host),
    BASE_URL: baseUrl,
    PUBLIC_URL: baseUrl,
    OWN_URLS: baseUrl,
    DEPLOYMENT_ID: 'sam-local',
    UPSTREAM_BASE_URL: onHost(upstream_url, host),
    EGRESS_ALLOWED_CIDRS: isIPv4(host) ? `${loopbackCidrs},${host}/32` : loopbackCidrs,
    AWS_ENDPOINT_URL_DYNAMODB: onHost(aws.dynamodb, host),
    AWS_ENDPOINT_URL_S3: onHost(aws.s3, host),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: onHost(aws.secrets_manager, host),
    AWS_ENDPOINT_URL_SQS: onHost(aws.sqs, host),
  };
  return Object.fromEntries(
    Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map((resource) => {
        const declared = resource.Properties?.Environment?.Variables ?? {};
        if ('TABLE_NAME' in declared && !('AWS_ENDPOINT_URL_DYNAMODB' in declared)) {
          throw new SamEnvironmentError(
            'The template declares no AWS endpoints. Run first: npm run synth -- -c samLocal=true',
          );
        }
        return [functionId(resource), Object.fromEntries(Object.entries(values).filter(([name]) => name in declared))];
      }),
  );
}

function onHost(url: string, host: string): string {
  return url.replace(new URL(url).hostname, host);
}

/** Returns the function's id for `sam local`: the middle part of `messaging-dev/ListFlows/Resource`. */
function functionId({ Metadata }: SamResource): string {
  const [, id] = String(Metadata?.['aws:cdk:path']).split('/');
  if (id === undefined) throw new Error('A function of the template has no aws:cdk:path');
  return id;
}

function readJson<T>(file: string, hint: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SamEnvironmentError(`${file} cannot be read. Run first: ${hint}`, { cause: error });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { host: { type: 'string', default: 'host.docker.internal' } } });
  const templateFile = join(process.env.CDK_OUTDIR ?? assemblyDirectory, 'messaging-dev.template.json');
  const worldFile = join(process.env.LOCAL_DATA_DIR || join(root, '.local'), 'world.json');
  try {
    const template = readJson<SamTemplate>(templateFile, 'npm run synth -- -c samLocal=true');
    const world = readJson<LocalWorld>(worldFile, 'npm start');
    const environment = samEnvironment(template, world, values.host);
    writeFileSync(join(root, 'env.json'), `${JSON.stringify(environment, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof SamEnvironmentError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
