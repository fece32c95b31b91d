import { createHash, randomUUID } from 'node:crypto';
import { CreateSecretCommand, GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { FlowKey } from '#shared/domain/flow-keys/flow-key.ts';
import type { FlowKeyStore, KeyRing } from '#shared/domain/flow-keys/flow-key-store.ts';
import { isAwsError } from '../aws-sdk/aws-error.ts';
import type { SecretsManager } from './client.ts';

const flowKey = z.object({ private_key: z.string(), created_at: z.number() });
const keySecret = z.object({ flow_keys: z.array(flowKey) });

/**
 * Stores the Flow keys of workspaces. Each workspace has a secret that contains nothing else: next to the platform's
 * secret `messaging/prod/upstream`, its name is `messaging/prod/flow-keys/<id>`.
 */
export function flowKeyStore(upstreamSecretId: string, client: SecretsManager): FlowKeyStore {
  const idOf = (workspace: string) => upstreamSecretId.replace(/[^/]*$/, `flow-keys/${workspace}`);

  return {
    async read(workspace: string): Promise<KeyRing> {
      const SecretId = idOf(workspace);
      try {
        const { SecretString, VersionId = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
        const parsed = z.safeParse(keySecret, parseJson(SecretString ?? ''));
        // The parse error would quote the secret, so it is not passed on.
        if (!parsed.success) throw new Error(`The secret ${SecretId} is not {"flow_keys": […]}`);
        return { keys: parsed.data.flow_keys, version: VersionId };
      } catch (error) {
        if (isAwsError(error, 'ResourceNotFoundException')) return { keys: [] };
        throw error;
      }
    },

    async replace(workspace: string, { version }: KeyRing, keys: readonly FlowKey[]): Promise<boolean> {
      const id = idOf(workspace);
      const SecretString = JSON.stringify({ flow_keys: keys });
      if (version === undefined) {
        const Description = 'The private keys of the Flows of a workspace';
        const ClientRequestToken = randomUUID();
        const input = { Name: id, SecretString, Description, ClientRequestToken };
        return unlessWritten(client.send(new CreateSecretCommand(input)));
      }
      const input = { SecretId: id, SecretString, ClientRequestToken: nextVersion(version) };
      return unlessWritten(client.send(new PutSecretValueCommand(input)));
    },
  };
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
