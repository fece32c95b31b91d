import { startCommand, worldFolder } from '#local/world-folder.ts';
import type { Connection } from '#shared/adapters/aws-sdk/connection.ts';
import { openTable } from '#shared/adapters/dynamodb/table/table.ts';
import { type Bucket, openBucket } from '#shared/adapters/s3/bucket.ts';
import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import { defaultUpstream, loopbackCidrs } from '#shared/runtime/variables.ts';
import type { CommonOptions } from './actions.ts';
import type { Target } from './service.ts';
import { UsageError } from './terminal/errors.ts';
import { openUpstream, type UpstreamPlace } from './upstream.ts';
import { readWorld } from './world.ts';

/** Opens the local or the live world, or a deployment with the credentials and the region that AWS's tools find. */
export async function openTarget(options: Pick<CommonOptions, 'local' | 'live' | 'stage' | 'table'>): Promise<Target> {
  const { local, live, stage, table } = options;
  if ([local, live, stage, table].filter((option) => option !== undefined).length > 1) {
    throw new UsageError('Give one of --local, --live, --stage <stage> and --table <name>, not several.');
  }
  if (local || live) return openWorld({ live: live === true });
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
      deployCommand: `./messaging deploy --stage ${stage}`,
      awsUrl: tables.endpoint,
      codeVersion: codeVersion ?? null,
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

function deadLettersOf(queueUrl: string | undefined, connection: Connection): (() => Promise<DeadLetters>) | undefined {
  if (queueUrl === undefined) return undefined;
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

async function openWorld(kind: { live: boolean }): Promise<Target> {
  const start = startCommand(kind);
  const world = await readWorld(worldFolder(kind), start);
  const { table, awsUrl, openBucket, deadLetters, baseUrl, publicUrl, codeVersion, awsCommand } = world;
  return {
    table,
    openUpstream: (workspace) =>
      openUpstream({ ...defaultUpstream, ...world.secret(), baseUrl: world.upstreamUrl() }, workspace),
    openBucket,
    baseUrl: publicUrl ?? baseUrl,
    surroundings: {
      awsCommand,
      deployCommand: start,
      awsUrl,
      codeVersion,
      readDeadLetters: deadLetters && deadLettersOf(deadLetters.queueUrl, deadLetters.connection),
      allowedCidrs: loopbackCidrs,
    },
  };
}
