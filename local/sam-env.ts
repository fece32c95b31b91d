/**
 * `npm run sam:env`: writes `env.json`, which leads the functions of `sam local` to the running local world.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assemblyDirectory, root } from '#infra/paths.ts';
import { loopbackCidrs } from '#shared/operations/stage.ts';
import type { WorldDescription } from './world-description.ts';

interface Template {
  Resources: Record<
    string,
    {
      Type: string;
      Metadata?: Record<string, unknown>;
      Properties?: { Environment?: { Variables?: Record<string, unknown> } };
    }
  >;
}

/** The address for `sam local start-api`. Port 3000 is taken by the local world's gateway. */
const baseUrl = 'http://127.0.0.1:3010';

/**
 * Builds the content of the file for `sam local --env-vars`. For every function, it has the variables that the template
 * leaves open or that differ on this machine, so that the function uses the data and the upstream of the running local
 * world.
 *
 * @param host address of this machine, as seen from a container
 */
export function samEnvironment(template: Template, { upstream_url, aws }: WorldDescription, host: string) {
  const onHost = (url: string | undefined) => String(url).replace(new URL(String(url)).hostname, host);
  const values: Record<string, string> = {
    TABLE_NAME: aws.table_name,
    BUCKET_NAME: aws.bucket_name,
    QUEUE_URL: onHost(aws.queue_urls.NotificationQueue),
    BASE_URL: baseUrl,
    PUBLIC_URL: baseUrl,
    OWN_URLS: baseUrl,
    DEPLOYMENT_ID: 'sam-local',
    UPSTREAM_BASE_URL: onHost(upstream_url),
    EGRESS_ALLOWED_CIDRS: isIPv4(host) ? `${loopbackCidrs},${host}/32` : loopbackCidrs,
    AWS_ENDPOINT_URL_DYNAMODB: onHost(aws.dynamodb),
    AWS_ENDPOINT_URL_S3: onHost(aws.s3),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: onHost(aws.secrets_manager),
    AWS_ENDPOINT_URL_SQS: onHost(aws.sqs),
  };
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  return Object.fromEntries(
    functions.map(({ Metadata, Properties }) => {
      const declared = Properties?.Environment?.Variables ?? {};
      if ('TABLE_NAME' in declared && !('AWS_ENDPOINT_URL_DYNAMODB' in declared)) {
        throw new Error('The template declares no AWS endpoints. Run first: npm run synth -- -c samLocal=true');
      }
      // `sam local` knows a function by the middle part of `messaging-dev/ListFlows/Resource`.
      const [, id] = String(Metadata?.['aws:cdk:path']).split('/');
      return [id, Object.fromEntries(Object.entries(values).filter(([name]) => name in declared))];
    }),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { host: { type: 'string', default: 'host.docker.internal' } } });
  const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
  const template = readJson(process.env.CDK_OUTDIR ?? assemblyDirectory, 'messaging-dev.template.json');
  const world = readJson(process.env.LOCAL_DATA_DIR || join(root, '.local'), 'world.json');
  const environment = samEnvironment(template, world, values.host);
  writeFileSync(join(root, 'env.json'), `${JSON.stringify(environment, null, 2)}\n`);
}
