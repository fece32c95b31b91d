import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Credentials } from '#shared/adapters/aws-sdk/connection.ts';
import { openTable } from '#shared/adapters/dynamodb/table/table.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { defaultUpstream } from '#shared/runtime/variables.ts';
import type { CommonOptions } from './actions.ts';
import { Rejection, UsageError } from './failures.ts';
import { liveFolder } from './live-folder.ts';
import type { Target } from './service.ts';
import { openUpstream, type Upstream } from './upstream.ts';

/** Opens the local or the live world, or a deployment with the credentials and the region that AWS's tools find. */
export async function openTarget({
  local,
  live,
  table,
}: Pick<CommonOptions, 'local' | 'live' | 'table'>): Promise<Target> {
  if ([local, live, table].filter((one) => one !== undefined).length > 1) {
    throw new UsageError('Give --local, --live or --table <name>, only one of them.');
  }
  if (local) return openWorld(process.env.LOCAL_DATA_DIR || '.local', 'npm start');
  if (live) return openWorld(process.env.LOCAL_DATA_DIR || liveFolder(process.env), 'npm start -- --live');
  const name = table ?? process.env.TABLE_NAME;
  if (name) {
    // Loads AWS's SDK only here: the local world does not need it, and loading it takes longer than everything else.
    const { operatorConnection } = await import('#shared/adapters/aws-sdk/operator-connection.ts');
    const connectTo = await operatorConnection(process.env);
    return {
      table: openTable(name, connectTo('dynamodb')),
      openUpstream: () => openDeployedUpstream(connectTo('secretsmanager')),
    };
  }
  throw new UsageError(
    'Which service? Give --local for the local world, --live for the live one, or --table <name> (or set TABLE_NAME) for a deployment.',
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

/** @param start the command that starts the world */
async function openWorld(dataDir: string, start: string): Promise<Target> {
  const file = join(dataDir, 'world.json');
  const { upstream_url, aws } = await readWorld(file, start);
  const incomplete = (path: string, what: string) =>
    new Rejection(`${path} does not say ${what}. Restart the world with "${start}".`);
  const { dynamodb, table_name, secrets_manager, upstream_secret } = aws ?? {};
  if (!isUrl(dynamodb) || typeof table_name !== 'string') throw incomplete(file, 'where the table is');
  const credentialsFile = join(dataDir, 'data', 'aws-credentials');
  const credentials = readAdministrator(await readOf(credentialsFile, start));
  if (credentials === undefined) throw incomplete(credentialsFile, 'what the credentials are');
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
  };
}

/** The part of `world.json` that commands use. Its values are unchecked. */
interface World {
  upstream_url?: unknown;
  aws?: { dynamodb?: unknown; table_name?: unknown; secrets_manager?: unknown; upstream_secret?: unknown };
}

async function readWorld(file: string, start: string): Promise<World> {
  return Object(parseJson(await readOf(file, start)));
}

/** The local world has credentials of its own and accepts no others, so those of the environment are not used. */
function readAdministrator(content: string): Credentials | undefined {
  const settingOf = (name: string) => new RegExp(`^${name} = (\\S+)$`, 'm').exec(content)?.[1];
  const [accessKeyId, secretAccessKey] = [settingOf('aws_access_key_id'), settingOf('aws_secret_access_key')];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
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

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);
