import { DeleteSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { keys } from '#shared/aws/keys.ts';
import { getRecord, getRecords, queryIndex, type Table } from '#shared/aws/table.ts';
import {
  MalformedCredentials,
  readSecret,
  replaceSecret,
  type SecretsManager,
  siblingSecretName,
} from '#shared/aws/versioned-secret.ts';
import { deleteItem, succeeds } from '#shared/aws/write.ts';
import { type CachedReader, cached, cachedByKey } from '#shared/base/cache.ts';
import { isObject, type JsonObject, parseJson } from '#shared/base/json.ts';
import { log } from '#shared/base/logger.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { Workspace } from './workspace.ts';

/** The credentials that this service shares with the upstream: those of the deployment, or of a workspace. */
export interface Credentials {
  access_token: string;
  /** While the app secret is being changed, requests signed with either secret are accepted. */
  app_secret?: string | string[] | undefined;
  verify_token?: string | undefined;
}

/** What a workspace has of its own. */
export type OwnCredentials = { [Name in keyof Credentials]?: Credentials[Name] | undefined };

/** Reads the credentials. They may be minutes old, unless the caller limits their age. */
export type CredentialsReader = CachedReader<Credentials>;

/** What a workspace says about its credentials. */
export type CredentialsOwner = Pick<Workspace, 'id' | 'own_credentials'>;

/** Chooses the credentials that a workspace uses: its own, or those of the deployment, as without a workspace. */
export type CredentialsOf = (workspace: CredentialsOwner | undefined) => CredentialsReader;

const secrets = z.union([z.string(), z.array(z.string())]);

const credentials = z.object({
  access_token: z.string(),
  app_secret: z.optional(secrets),
  verify_token: z.optional(z.string()),
});

const ownValues = z.partial(credentials);

const keptForMs = 5 * minuteMs;

/** A process caches the credentials of at most this many workspaces. */
const maxWorkspaces = 10_000;

/**
 * Reads the access token. A missing token, which the operator has not stored yet, is treated like a wrong one.
 *
 * @param workspace whose own credentials they are, for the error
 */
export const accessTokenFrom =
  (read: CredentialsReader, workspace?: string) =>
  async (maxAgeMs?: number): Promise<string> => {
    const { access_token: remembered } = await read(maxAgeMs);
    const token = remembered === '' ? (await read(freshMs)).access_token : remembered;
    if (token === '') throw new MissingAccessToken(workspace);
    return token;
  };

/** Reads the upstream credentials from Secrets Manager and caches them for minutes. */
export function credentialsReader(secretId: string, now: Clock, client: SecretsManager): CredentialsReader {
  return cached(
    async () => {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      const parsed = z.safeParse(credentials, parseJson(SecretString ?? ''));
      // The parse error would quote the secret, so it is not passed on.
      if (!parsed.success) throw new MalformedCredentials(secretId);
      return parsed.data;
    },
    keptForMs,
    now,
  );
}

/** The name of the secret with the credentials of a workspace: `messaging/prod/credentials/<id>`. */
export const ownSecretId = (upstreamSecretId: string, workspace: string): string =>
  siblingSecretName(upstreamSecretId, `credentials/${workspace}`);

/**
 * Reads the credentials that workspaces use. Each secret is read when it is first needed, and cached for minutes.
 *
 * @param read reads what a workspace has of its own: functions log that they cannot, and go on
 */
export function credentialsOfWorkspaces(
  upstreamSecretId: string,
  now: Clock,
  client: SecretsManager,
  read: OwnReader = readOrLog,
): CredentialsOf {
  const ofDeployment = credentialsReader(upstreamSecretId, now, client);

  async function load(workspace: string): Promise<Credentials> {
    const own = await read(client, ownSecretId(upstreamSecretId, workspace), workspace);
    return ownOrShared(own, () => ofDeployment(freshMs));
  }

  const ofWorkspace = cachedByKey(load, keptForMs, now, maxWorkspaces);
  return (workspace) => (workspace?.own_credentials ? (maxAgeMs) => ofWorkspace(workspace.id, maxAgeMs) : ofDeployment);
}

/**
 * Chooses what a workspace with credentials of its own uses: for values that it lacks, those of the deployment. If its
 * secret is missing or malformed (`undefined`), nothing takes its place: the workspace must not become one of the
 * deployment's app because of a mistake.
 */
async function ownOrShared(
  own: OwnCredentials | undefined,
  readShared: () => Promise<Credentials>,
): Promise<Credentials> {
  if (own === undefined) return { access_token: '' };
  const { access_token, app_secret } = own;
  if (access_token !== undefined && app_secret !== undefined) return { ...own, access_token };
  const shared = await readShared();
  return { ...shared, ...own, access_token: access_token ?? shared.access_token };
}

type OwnReader = (client: SecretsManager, id: string, workspace: string) => Promise<OwnCredentials | undefined>;

/**
 * Reads what a workspace has of its own. Resolves with `undefined` if the secret does not exist.
 *
 * @throws MalformedCredentials
 */
export const readOwn: OwnReader = async (client, id, workspace) => {
  const secret = await readSecret(client, id);
  if (secret === undefined) return undefined;
  const parsed = z.safeParse(ownValues, parseJson(secret.text));
  if (!parsed.success) throw new MalformedCredentials(id, workspace);
  return withoutEmpty(parsed.data);
};

const readOrLog: OwnReader = async (...secret) => {
  const own = await readOwn(...secret).catch((error: unknown) => {
    if (!(error instanceof MalformedCredentials)) throw error;
    return undefined;
  });
  if (own === undefined) log('error', 'credentials.unreadable', { secret: secret[1] });
  return own;
};

function withoutEmpty(values: OwnCredentials): OwnCredentials {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => [value].flat().some((text) => text !== '')));
}

export interface StoredCredentials {
  values: JsonObject;
  version: string;
}

/** A secret with the credentials of the deployment or of a workspace, for those who change it. */
export function credentialsSecret(client: SecretsManager, name: string) {
  return {
    name,

    /** Resolves with `undefined` if the secret does not exist. */
    async read(): Promise<StoredCredentials | undefined> {
      const secret = await readSecret(client, name);
      if (secret === undefined) return undefined;
      const values = parseJson(secret.text);
      // Content that nothing can read is replaced when credentials are stored.
      return { values: isObject(values) ? values : {}, version: secret.version };
    },

    /** Resolves with `false` if somebody else changed the secret since it was read. */
    replace(current: StoredCredentials | undefined, values: JsonObject): Promise<boolean> {
      const Description = 'The credentials of a workspace for the WhatsApp Cloud API';
      return replaceSecret(client, name, JSON.stringify(values), { version: current?.version, Description });
    },

    async delete(): Promise<void> {
      await client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }));
    },
  };
}

/**
 * The former app secrets with which the events of a workspace may still be signed, besides those of the deployment. One
 * that the deployment has dropped is among them until the workspace drops it, too.
 */
export function formerSecrets(own: readonly string[], deployment: readonly string[]): string[] {
  return own.slice(1).filter((secret) => !deployment.includes(secret));
}

/** No access token is stored, so the upstream was not asked. */
export class MissingAccessToken extends UpstreamError {
  /** Whose own credentials lack it; else it is the deployment's. */
  readonly workspace: string | undefined;

  constructor(workspace?: string) {
    super('credentials', 'The secret holds no access token yet.');
    this.workspace = workspace;
  }
}

/** The workspaces with credentials of their own, by id. */
export type OwnApps = ReadonlyMap<string, Workspace>;

/** Reads which workspaces have credentials of their own, usually few, and caches that for minutes. */
export function ownAppsReader(table: Table, now: Clock): CachedReader<OwnApps> {
  return cached(
    async () => {
      const workspaces = await listOwnApps(table);
      return new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    },
    keptForMs,
    now,
  );
}

/** Lists the workspaces that have credentials of their own. The index may lag behind by a moment. */
export async function listOwnApps(table: Table): Promise<Workspace[]> {
  const workspaces = await getRecords<Workspace>(table, queryIndex(table, 'gsi2', 'OWN_CREDENTIALS'));
  return workspaces.filter(({ own_credentials }) => own_credentials);
}

export type VerifyTokenStore = ReturnType<typeof verifyTokenStore>;

/** Finds workspaces by the SHA-256 of their own verify tokens. */
export function verifyTokenStore(table: Table) {
  const { client, name: TableName } = table;
  return {
    /** The workspace of a verify token. */
    async find(hash: string): Promise<string | undefined> {
      const entry = await getRecord<{ workspace: string }>(table, keys.verifyToken(hash));
      return entry?.workspace;
    },

    /** Resolves with `false` when the token is that of another workspace. */
    enter(hash: string, workspace: string): Promise<boolean> {
      const put = new PutCommand({
        TableName,
        Item: { ...keys.verifyToken(hash), workspace },
        ConditionExpression: 'attribute_not_exists(pk) OR workspace = :workspace',
        ExpressionAttributeValues: { ':workspace': workspace },
      });
      return succeeds(client.send(put));
    },

    remove: (hash: string) => deleteItem(table, keys.verifyToken(hash)),
  };
}
