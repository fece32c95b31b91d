import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Credentials } from '#shared/adapters/aws-sdk/connection.ts';
import { openTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { type Bucket, openBucket } from '#shared/adapters/s3/bucket.ts';
import { own } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { quoted } from '#shared/base/visible.ts';
import { Rejection } from './terminal/errors.ts';

/** A running world on this machine, as its `world.json` describes it. */
interface RunningWorld {
  table: Table;
  /** One of its addresses of AWS. */
  awsUrl: string;
  /** @throws Rejection if the file does not name it, as the next two */
  openBucket(): Bucket;
  secret(): { secretId: string; connection: Connection };
  upstreamUrl(): string;
  /** Where its dead letters are, if the file names it. */
  deadLetters: { queueUrl: string; connection: Connection } | undefined;
  baseUrl: string | undefined;
  /** Where the internet reaches it. */
  publicUrl: string | undefined;
  codeVersion: string | undefined;
  /** The start of a command of AWS's own command line for its queues. */
  awsCommand: string;
}

/**
 * Reads where everything of a world is, and its credentials.
 *
 * @param start the command that starts it
 */
export async function readWorld(dataDir: string, start: string): Promise<RunningWorld> {
  const file = join(dataDir, 'world.json');
  const world = parseJson(await contentOf(file, start));
  const aws = own(world, 'aws');
  const rejection = (path: string, what: string) =>
    new Rejection(`${path} does not say ${what}. Restart the world with "${start}".`);
  function text(value: unknown, what: string): string {
    if (typeof value === 'string' && value !== '') return value;
    throw rejection(file, what);
  }
  const tableName = text(own(aws, 'table_name'), 'where the table is');
  const tables = text(own(aws, 'dynamodb'), 'where the table is');

  const administratorFile = join(dataDir, 'data', 'aws-credentials');
  const credentials = credentialsIn(await contentOf(administratorFile, start));
  if (!credentials) throw rejection(administratorFile, 'what the credentials are');
  const connectTo = (endpoint: string): Connection => ({ region: 'us-east-1', credentials, endpoint });

  const optionalText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const queueUrl = optionalText(own(own(aws, 'queue_urls'), 'NotificationQueueDeadLetters'));
  const queues = optionalText(own(aws, 'sqs'));
  return {
    table: openTable(tableName, connectTo(tables)),
    awsUrl: tables,
    openBucket: () =>
      openBucket(
        text(own(aws, 'bucket_name'), 'where the bucket is'),
        connectTo(text(own(aws, 's3'), 'where the bucket is')),
      ),
    secret: () => ({
      secretId: text(own(aws, 'upstream_secret'), 'where the keys are'),
      connection: connectTo(text(own(aws, 'secrets_manager'), 'where the keys are')),
    }),
    upstreamUrl: () => text(own(world, 'upstream_url'), 'where the platform is'),
    deadLetters: queueUrl && queues ? { queueUrl, connection: connectTo(queues) } : undefined,
    baseUrl: optionalText(own(world, 'base_url')),
    publicUrl: optionalText(own(world, 'public_url')),
    codeVersion: optionalText(own(world, 'code_version')),
    awsCommand: `AWS_SHARED_CREDENTIALS_FILE=${quoted(administratorFile)} aws --profile local --region us-east-1 --endpoint-url ${queues}`,
  };
}

async function contentOf(file: string, start: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Rejection(
      `${file} does not exist. Start the world with "${start}", or set LOCAL_DATA_DIR to its data folder.`,
    );
  }
}

/** A world has credentials of its own and accepts no others, so those of the environment are not used. */
function credentialsIn(content: string): Credentials | undefined {
  const settingOf = (name: string) => new RegExp(`^${name} = (\\S+)$`, 'm').exec(content)?.[1];
  const [accessKeyId, secretAccessKey] = [settingOf('aws_access_key_id'), settingOf('aws_secret_access_key')];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
}
