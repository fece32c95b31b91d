import { createHash, randomUUID } from 'node:crypto';
import { CreateSecretCommand, GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { FlowKey } from '#shared/domain/flow-endpoint/flow-key.ts';
import type { FlowKeyStore, KeyRing } from '#shared/domain/flow-endpoint/flow-key-store.ts';
import { isAwsError } from '../aws-sdk/aws-error.ts';
import type { SecretsManager } from './client.ts';

const flowKey = z.object({ private_key: z.string(), created_at: z.number() });
/** Loose, because operators may store more in the secret of a workspace. */
const keySecret = z.looseObject({ flow_keys: z.optional(z.array(flowKey)) });

interface StoredSecret {
  id: string;
  version: string;
  content: z.infer<typeof keySecret>;
}

/**
 * Stores the Flow keys of workspaces. Each workspace has a secret that contains nothing else: next to the platform's
 * secret `messaging/prod/upstream`, its name is `messaging/prod/flow-keys/<id>`. Earlier versions stored keys in
 * `messaging/prod/workspaces/<id>`; they are read from there until `move` has moved them.
 */
export function flowKeyStore(upstreamSecretId: string, client: SecretsManager): FlowKeyStore {
  const beside = (name: string) => upstreamSecretId.replace(/[^/]*$/, name);
  const ownId = (workspace: string) => beside(`flow-keys/${workspace}`);
  const formerId = (workspace: string) => beside(`workspaces/${workspace}`);

  async function readSecret(id: string): Promise<StoredSecret | undefined> {
    try {
      const { SecretString, VersionId = '' } = await client.send(new GetSecretValueCommand({ SecretId: id }));
      const parsed = z.safeParse(keySecret, parseJson(SecretString ?? ''));
      // The parse error would quote the secret, so it is not passed on.
      if (!parsed.success) throw new Error(`The secret ${id} is not {"flow_keys": […], …}`);
      return { id, version: VersionId, content: parsed.data };
    } catch (error) {
      if (isAwsError(error, 'ResourceNotFoundException')) return undefined;
      throw error;
    }
  }

  async function readOwn(workspace: string): Promise<KeyRing | undefined> {
    const secret = await readSecret(ownId(workspace));
    return secret && { keys: keysOf(secret), version: secret.version };
  }

  /** Resolves with `undefined` also for a secret that an operator is deleting. */
  async function readFormer(workspace: string): Promise<StoredSecret | undefined> {
    try {
      return await readSecret(formerId(workspace));
    } catch (error) {
      if (isAwsError(error, 'InvalidRequestException')) return undefined;
      throw error;
    }
  }

  async function read(workspace: string): Promise<KeyRing> {
    const own = await readOwn(workspace);
    if (own) return own;
    const keys = keysOf(await readFormer(workspace));
    if (keys.length > 0) return { keys };
    // The keys may have been moved between the two reads.
    return (await readOwn(workspace)) ?? { keys: [] };
  }

  async function putSecret(SecretId: string, version: string, content: object): Promise<boolean> {
    const SecretString = JSON.stringify(content);
    const ClientRequestToken = nextVersion(version);
    return unlessWritten(client.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken })));
  }

  async function createSecret(Name: string, content: object): Promise<boolean> {
    const Description = 'The private keys of the Flows of a workspace';
    const SecretString = JSON.stringify(content);
    const ClientRequestToken = randomUUID();
    return unlessWritten(client.send(new CreateSecretCommand({ Name, SecretString, Description, ClientRequestToken })));
  }

  /** Replaces the keys of a ring. Resolves with `false` when another writer changed them since the ring was read. */
  async function replace(workspace: string, { version }: KeyRing, keys: readonly FlowKey[]): Promise<boolean> {
    const id = ownId(workspace);
    const content = { flow_keys: keys };
    return version === undefined ? createSecret(id, content) : putSecret(id, version, content);
  }

  return {
    read,
    replace,

    async move(workspace: string): Promise<boolean> {
      const former = await readFormer(workspace);
      const keys = keysOf(former);
      if (!former || keys.length === 0) return false;
      const ring = await read(workspace);
      const all = [...ring.keys, ...without(keys, ring.keys)];
      const isCopied = ring.version !== undefined && all.length === ring.keys.length;
      if (!isCopied && !(await replace(workspace, ring, all))) throw conflict(ownId(workspace));
      const copied = await readOwn(workspace);
      if (without(keys, copied?.keys ?? []).length > 0) throw conflict(ownId(workspace));
      const { flow_keys, ...rest } = former.content;
      if (!(await putSecret(former.id, former.version, rest))) throw conflict(former.id);
      return true;
    },
  };
}

function keysOf(secret: StoredSecret | undefined): readonly FlowKey[] {
  return secret?.content.flow_keys ?? [];
}

function without(keys: readonly FlowKey[], others: readonly FlowKey[]): FlowKey[] {
  return keys.filter(({ private_key }) => !others.some((other) => other.private_key === private_key));
}

function conflict(secretId: string): Error {
  return new Error(`The secret ${secretId} was changed at the same time; no key is lost. Try again.`);
}

async function unlessWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isAwsError(error, 'ResourceExistsException')) return false;
    throw error;
  }
}

/**
 * Two writers that have read the same version compute the same name for the next one, so Secrets Manager rejects the
 * second writer.
 */
function nextVersion(version: string): string {
  return createHash('sha256').update(version).digest('hex');
}
