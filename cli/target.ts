import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Credentials } from '#shared/adapters/aws-sdk/connection.ts';
import { openTable } from '#shared/adapters/dynamodb/table/table.ts';
import { type Bucket, openBucket } from '#shared/adapters/s3/bucket.ts';
import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { defaultUpstream, loopbackCidrs } from '#shared/runtime/variables.ts';
import type { CommonOptions } from './actions.ts';
import { Rejection, UsageError } from './failures.ts';
import { liveFolder } from './live-folder.ts';
import type { Target } from './service.ts';
import { openUpstream, type UpstreamPlace } from './upstream.ts';

/** Opens the local or the live world, or a deployment with the credentials and the region that AWS's tools find. */
export async function openTarget(options: Pick<CommonOptions, 'local' | 'live' | 'stage' | 'table'>): Promise<Target> {
  const { local, live, stage, table } = options;
  if ([local, live, stage, table].filter((option) => option !== undefined).length > 1) {
    throw new UsageError('Give one of --local, --live, --stage <stage> and --table <name>, not several.');
  }
  if (local) return openWorld(process.env.LOCAL_DATA_DIR || '.local', 'npm start');
  if (live) return openWorld(process.env.LOCAL_DATA_DIR || liveFolder(process.env), 'npm start -- --live');
  if (stage !== undefined) return openStage(stage);
  const name = table ?? process.env.TABLE_NAME;
  if (name) return openDeployedTable(name);
  throw new UsageError(
    'Which service? Give --local for the local world, --live for the live one, or --stage <stage> (or --table <name>, or TABLE_NAME) for a deployment.',
  );
}

/*
 * These two load AWS's SDK on demand: the local world does not need it, and loading it takes longer than everything
 * else.
 */

async function openStage(stage: string): Promise<Target> {
  const [{ findDeployment }, { operatorConnection }] = await Promise.all([
    import('./stage.ts'),
    import('#shared/adapters/aws-sdk/operator-connection.ts'),
  ]);
  const connectTo = await operatorConnection(process.env);
  const { baseUrl, tableName, bucketName, upstream, codeVersion, deadLetterQueueUrl } = await findDeployment(stage);
  const tables = connectTo('dynamodb');
  return {
    table: openTable(tableName, tables),
    openUpstream: (workspace) => openUpstream({ ...upstream, connection: connectTo('secretsmanager') }, workspace),
    baseUrl,
    surroundings: {
      deployCommand: `npm run deploy -- --stage ${stage}`,
      awsUrl: tables.endpoint,
      codeVersion,
      readDeadLetters: deadLettersOf(deadLetterQueueUrl, connectTo('sqs')),
    },
    openBucket: () => openBucket(bucketName, connectTo('s3')),
  };
}

async function openDeployedTable(name: string): Promise<Target> {
  const { operatorConnection } = await import('#shared/adapters/aws-sdk/operator-connection.ts');
  const connectTo = await operatorConnection(process.env);
  return {
    table: openTable(name, connectTo('dynamodb')),
    openUpstream: (workspace) => openUpstream(deployedUpstream(connectTo('secretsmanager')), workspace),
    baseUrl: process.env.BASE_URL?.replace(/\/+$/, '') || undefined,
    surroundings: { awsUrl: connectTo('dynamodb').endpoint },
    openBucket: () => openDeployedBucket(connectTo('s3')),
  };
}

function deadLettersOf(queueUrl: unknown, connection: Connection): (() => Promise<DeadLetters>) | undefined {
  if (!isUrl(queueUrl)) return undefined;
  return async () => (await import('#shared/adapters/sqs/dead-letters.ts')).readDeadLetters(queueUrl, connection);
}

function deployedUpstream(connection: Connection): UpstreamPlace {
  const { UPSTREAM_SECRET_ID, UPSTREAM_BASE_URL, UPSTREAM_GRAPH_VERSION } = process.env;
  if (!UPSTREAM_SECRET_ID) {
    throw new UsageError(
      "UPSTREAM_SECRET_ID is not set. Give --stage <stage>, or set it to the stack's output UpstreamSecretName.",
    );
  }
  return {
    secretId: UPSTREAM_SECRET_ID,
    baseUrl: UPSTREAM_BASE_URL || defaultUpstream.baseUrl,
    graphVersion: UPSTREAM_GRAPH_VERSION || defaultUpstream.graphVersion,
    connection,
  };
}

function openDeployedBucket(connection: Connection): Bucket {
  const { BUCKET_NAME } = process.env;
  if (BUCKET_NAME) return openBucket(BUCKET_NAME, connection);
  throw new UsageError("BUCKET_NAME is not set. Give --stage <stage>, or set it to the stack's output BucketName.");
}

/** @param start the command that starts the world */
async function openWorld(dataDir: string, start: string): Promise<Target> {
  const file = join(dataDir, 'world.json');
  const { base_url, public_url, code_version, upstream_url, aws } = await readWorld(file, start);
  const baseUrl = [public_url, base_url].find(isUrl);
  const incomplete = (path: string, what: string) => incompleteWorld(path, what, start);
  const { dynamodb, table_name, secrets_manager, upstream_secret, s3, bucket_name, sqs, queue_urls } = aws ?? {};
  if (!isUrl(dynamodb) || typeof table_name !== 'string') throw incomplete(file, 'where the table is');
  const administratorFile = join(dataDir, 'data', 'aws-credentials');
  const credentials = await readAdministrator(administratorFile, start);
  const localAws = { region: 'us-east-1', credentials };
  return {
    table: openTable(table_name, { ...localAws, endpoint: dynamodb }),
    openUpstream(workspace) {
      if (!isUrl(upstream_url) || !isUrl(secrets_manager) || typeof upstream_secret !== 'string') {
        throw incomplete(file, 'where the keys are');
      }
      const place = {
        ...defaultUpstream,
        secretId: upstream_secret,
        baseUrl: upstream_url,
        connection: { ...localAws, endpoint: secrets_manager },
      };
      return openUpstream(place, workspace);
    },
    openBucket() {
      if (!isUrl(s3) || typeof bucket_name !== 'string') throw incomplete(file, 'where the bucket is');
      return openBucket(bucket_name, { ...localAws, endpoint: s3 });
    },
    baseUrl,
    surroundings: {
      awsCommand: `AWS_SHARED_CREDENTIALS_FILE=${administratorFile} aws --profile local --region us-east-1 --endpoint-url ${sqs}`,
      deployCommand: start,
      awsUrl: dynamodb,
      codeVersion: typeof code_version === 'string' ? code_version : undefined,
      readDeadLetters: deadLettersOf(Object(queue_urls).NotificationQueueDeadLetters, {
        ...localAws,
        endpoint: String(sqs),
      }),
      allowedCidrs: loopbackCidrs,
    },
  };
}

type AwsMember =
  | 'dynamodb'
  | 'table_name'
  | 's3'
  | 'bucket_name'
  | 'sqs'
  | 'queue_urls'
  | 'secrets_manager'
  | 'upstream_secret';

/** The part of `world.json` that commands use. Its values are unchecked. */
interface World {
  base_url?: unknown;
  public_url?: unknown;
  code_version?: unknown;
  upstream_url?: unknown;
  aws?: Partial<Record<AwsMember, unknown>>;
}

export async function readWorld(file: string, start: string): Promise<World> {
  return Object(parseJson(await readOf(file, start)));
}

/** A world has credentials of its own and accepts no others, so those of the environment are not used. */
export async function readAdministrator(file: string, start: string): Promise<Credentials> {
  const content = await readOf(file, start);
  const settingOf = (name: string) => new RegExp(`^${name} = (\\S+)$`, 'm').exec(content)?.[1];
  const [accessKeyId, secretAccessKey] = [settingOf('aws_access_key_id'), settingOf('aws_secret_access_key')];
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  throw incompleteWorld(file, 'what the credentials are', start);
}

async function readOf(file: string, start: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Rejection(
      `${file} does not exist. Start the world with "${start}", or set LOCAL_DATA_DIR to its data folder.`,
    );
  }
}

function incompleteWorld(file: string, what: string, start: string): Rejection {
  return new Rejection(`${file} does not say ${what}. Restart the world with "${start}".`);
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);
