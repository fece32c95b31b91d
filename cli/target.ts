import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Credentials } from '#shared/adapters/aws-sdk/connection.ts';
import { openTable } from '#shared/adapters/dynamodb/table/table.ts';
import { type Bucket, openBucket } from '#shared/adapters/s3/bucket.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { defaultUpstream } from '#shared/runtime/variables.ts';
import type { CommonOptions } from './actions.ts';
import { Rejection, UsageError } from './failures.ts';
import type { Target } from './service.ts';
import { openUpstream, type Upstream } from './upstream.ts';

/** Opens the local world, or a deployment with the credentials and the region that AWS's tools find. */
export async function openTarget({ local, table }: Pick<CommonOptions, 'local' | 'table'>): Promise<Target> {
  if (local && table !== undefined) throw new UsageError('Give --local or --table <name>, not both.');
  if (local) return openLocal(process.env.LOCAL_DATA_DIR || '.local');
  const name = table ?? process.env.TABLE_NAME;
  if (name) {
    // Loads AWS's SDK only here: the local world does not need it, and loading it takes longer than everything else.
    const { operatorConnection } = await import('#shared/adapters/aws-sdk/operator-connection.ts');
    const connectTo = await operatorConnection(process.env);
    return {
      table: openTable(name, connectTo('dynamodb')),
      openUpstream: () => openDeployedUpstream(connectTo('secretsmanager')),
      openBucket: () => openDeployedBucket(connectTo('s3')),
    };
  }
  throw new UsageError(
    'Which service? Give --local for the local world, or --table <name> (or set TABLE_NAME) for a deployment.',
  );
}

function openDeployedUpstream(connection: Connection): Upstream {
  const { UPSTREAM_SECRET_ID, UPSTREAM_BASE_URL, UPSTREAM_GRAPH_VERSION } = process.env;
  if (!UPSTREAM_SECRET_ID) {
    throw new UsageError("UPSTREAM_SECRET_ID is not set. Set it to the stack's output UpstreamSecretName.");
  }
  return openUpstream({
    secretId: UPSTREAM_SECRET_ID,
    baseUrl: UPSTREAM_BASE_URL || defaultUpstream.baseUrl,
    graphVersion: UPSTREAM_GRAPH_VERSION || defaultUpstream.graphVersion,
    connection,
  });
}

function openDeployedBucket(connection: Connection): Bucket {
  const { BUCKET_NAME } = process.env;
  if (!BUCKET_NAME) throw new UsageError("BUCKET_NAME is not set. Set it to the stack's output BucketName.");
  return openBucket(BUCKET_NAME, connection);
}

async function openLocal(dataDir: string): Promise<Target> {
  const file = join(dataDir, 'world.json');
  const { upstream_url, aws } = await readWorld(file);
  const { dynamodb, table_name, secrets_manager, upstream_secret, s3, bucket_name } = aws ?? {};
  if (!isUrl(dynamodb) || typeof table_name !== 'string') throw incomplete(file, 'where the table is');
  const credentials = await readAdministrator(join(dataDir, 'data', 'aws-credentials'));
  const localAws = { region: 'us-east-1', credentials };
  return {
    table: openTable(table_name, { ...localAws, endpoint: dynamodb }),
    openUpstream() {
      if (!isUrl(upstream_url) || !isUrl(secrets_manager) || typeof upstream_secret !== 'string') {
        throw incomplete(file, 'where the keys are');
      }
      return openUpstream({
        ...defaultUpstream,
        secretId: upstream_secret,
        baseUrl: upstream_url,
        connection: { ...localAws, endpoint: secrets_manager },
      });
    },
    openBucket() {
      if (!isUrl(s3) || typeof bucket_name !== 'string') throw incomplete(file, 'where the bucket is');
      return openBucket(bucket_name, { ...localAws, endpoint: s3 });
    },
  };
}

/** The part of `world.json` that commands use. Its values are unchecked. */
interface World {
  upstream_url?: unknown;
  aws?: {
    dynamodb?: unknown;
    table_name?: unknown;
    secrets_manager?: unknown;
    upstream_secret?: unknown;
    s3?: unknown;
    bucket_name?: unknown;
  };
}

async function readWorld(file: string): Promise<World> {
  return Object(parseJson(await readOf(file)));
}

/** The local world has credentials of its own and accepts no others, so those of the environment are not used. */
async function readAdministrator(file: string): Promise<Credentials> {
  const content = await readOf(file);
  const settingOf = (name: string) => new RegExp(`^${name} = (\\S+)$`, 'm').exec(content)?.[1];
  const [accessKeyId, secretAccessKey] = [settingOf('aws_access_key_id'), settingOf('aws_secret_access_key')];
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  throw incomplete(file, 'what the credentials are');
}

async function readOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Rejection(
      `${file} does not exist. Start the local world with "npm start", or set LOCAL_DATA_DIR to its data folder.`,
    );
  }
}

function incomplete(file: string, what: string): Rejection {
  return new Rejection(`${file} does not say ${what}. Restart the local world with "npm start".`);
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);
