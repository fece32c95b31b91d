import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readWorldFile } from '#local/world-description-file.ts';
import { worldFolder } from '#local/world-folder.ts';
import { openBucket } from '#shared/aws/bucket.ts';
import type { Connection, Credentials } from '#shared/aws/connection.ts';
import { openTable } from '#shared/aws/table.ts';
import { quoted } from '#shared/base/text.ts';
import type { DeadLetters } from '#shared/delivery/notification-queue-store.ts';
import { defaultUpstream, loopbackCidrs, type OutputName, stackNameOf } from '#shared/operations/stage.ts';
import { openUpstream, type Target } from './service.ts';
import { Rejection, UsageError } from './terminal/errors.ts';
import { type CommonOptions, startCommand } from './terminal/hints.ts';

/** Opens the local or the live world, or a deployment with the credentials and the region that AWS's tools find. */
export async function openTarget({ local, live, stage, table }: CommonOptions): Promise<Required<Target>> {
  if ([local, live, stage].filter((option) => option !== undefined).length !== 1) {
    throw new UsageError('Which service? Give one of --local, --live, and --stage <stage> for a deployment.');
  }
  if (stage !== undefined) return openStage(stage, table);
  if (table !== undefined) throw new UsageError('--table names another table of a stage: give --stage <stage>, too.');
  return openWorld({ live: live === true });
}

/** AWS's clients for a deployment are loaded on demand: the local world does not need them. */
async function openStage(stage: string, table: string | undefined): Promise<Required<Target>> {
  const { operatorConnection } = await import('#shared/aws/stack.ts');
  const connectTo = await operatorConnection(process.env);
  const output = await outputsOf(stage);
  const place = {
    secretId: output('UpstreamSecretName'),
    baseUrl: output('UpstreamBaseUrl'),
    graphVersion: output('UpstreamGraphVersion'),
    connection: connectTo('secretsmanager'),
  };
  return {
    table: openTable(table ?? output('TableName'), connectTo('dynamodb')),
    openUpstream: (workspace) => openUpstream(place, workspace),
    openBucket: () => openBucket(output('BucketName'), connectTo('s3')),
    baseUrl: output('BaseUrl'),
    surroundings: {
      deployCommand: `./messaging deploy --stage ${stage}`,
      codeVersion: output('CodeVersion'),
      readDeadLetters: deadLettersOf(output('DeadLetterQueueUrl'), connectTo('sqs')),
      readAlarms: async () => (await import('#shared/aws/stack.ts')).alarmsOf(stackNameOf(stage)),
    },
  };
}

/** Reads where everything of a stage is: the outputs of its stack. */
async function outputsOf(stage: string): Promise<(name: OutputName) => string> {
  const { findStack } = await import('#shared/aws/stack.ts');
  const stackName = stackNameOf(stage);
  const { region, stack } = await findStack(stackName);
  if (stack === undefined) {
    const remedy = `Check --stage, AWS_REGION and AWS_PROFILE, or deploy it: ./messaging deploy --stage ${stage}`;
    throw new Rejection(`There is no stack ${stackName} in ${region}. ${remedy}`);
  }
  const { status, outputs } = stack;
  return (name) => {
    const value = outputs[name];
    if (value) return value;
    const what = `The stack ${stackName} in ${region} has no output ${name} (its status is ${status})`;
    throw new Rejection(`${what}. Deploy it again: ./messaging deploy --stage ${stage}`);
  };
}

/** A world says where everything is, and has credentials of its own: it accepts no others. */
async function openWorld(kind: { live: boolean }): Promise<Required<Target>> {
  const start = startCommand(kind.live ? { live: true } : {});
  const administratorFile = join(worldFolder(kind), 'data', 'aws-credentials');
  const world = readWorldFile(kind);
  const credentials = credentialsIn(await readFile(administratorFile, 'utf8').catch(() => ''));
  if (world?.aws === undefined || credentials === undefined) {
    const remedy = `Start the world with "${start}", or set LOCAL_DATA_DIR to its data folder.`;
    throw new Rejection(`There is no world in ${worldFolder(kind)}. ${remedy}`);
  }
  const { aws, base_url, public_url, upstream_url, code_version } = world;
  const connectTo = (endpoint: string): Connection => ({ region: aws.region, credentials, endpoint });
  const place = {
    secretId: aws.upstream_secret,
    baseUrl: upstream_url,
    graphVersion: defaultUpstream.graphVersion,
    connection: connectTo(aws.secrets_manager),
  };
  return {
    table: openTable(aws.table_name, connectTo(aws.dynamodb)),
    openUpstream: (workspace) => openUpstream(place, workspace),
    openBucket: () => openBucket(aws.bucket_name, connectTo(aws.s3)),
    baseUrl: public_url ?? base_url,
    surroundings: {
      awsCommand: `AWS_SHARED_CREDENTIALS_FILE=${quoted(administratorFile)} aws --profile local --region ${aws.region} --endpoint-url ${aws.sqs}`,
      deployCommand: start,
      codeVersion: code_version,
      readDeadLetters: deadLettersOf(String(aws.queue_urls.NotificationQueueDeadLetters), connectTo(aws.sqs)),
      allowedCidrs: loopbackCidrs,
    },
  };
}

function credentialsIn(content: string): Credentials | undefined {
  const settingOf = (name: string) => new RegExp(`^${name} = (\\S+)$`, 'm').exec(content)?.[1];
  const [accessKeyId, secretAccessKey] = [settingOf('aws_access_key_id'), settingOf('aws_secret_access_key')];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
}

const deadLettersOf = (queueUrl: string, connection: Connection) => async (): Promise<DeadLetters> =>
  (await import('#shared/delivery/notification-queue-store.ts')).readDeadLetters(queueUrl, connection);
