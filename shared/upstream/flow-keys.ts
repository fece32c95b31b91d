import { createHash } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { FlowKey } from '../flow-endpoint/flow-key.ts';
import { lazy } from '../lazy.ts';
import { secretsManager } from './secrets-manager.ts';

const flowKey = z.object({ private_key: z.string(), created_at: z.number() });
/** Operators may keep more in the secret of a workspace. */
const workspaceSecret = z.looseObject({ flow_keys: z.optional(z.array(flowKey)) });

/** The keys of a workspace as they were read. */
export interface KeyRing {
  /** Newest first. */
  keys: readonly FlowKey[];
  /** What a write is based on; absent when the workspace has no secret yet. */
  basis?: { version: string; secret: Record<string, unknown> };
}

export type FlowKeyStore = ReturnType<typeof flowKeyStore>;

/**
 * The Flow keys of workspaces, each in the workspace's own secret. That stands beside the platform's: for
 * `messaging/prod/upstream` it is `messaging/prod/workspaces/<id>`.
 */
export function flowKeyStore(upstreamSecretId: string, connect: () => SecretsManagerClient = secretsManager) {
  const client = lazy(connect);
  const secretId = (workspace: string) => upstreamSecretId.replace(/[^/]*$/, `workspaces/${workspace}`);

  async function write(workspace: string, { basis }: KeyRing, SecretString: string): Promise<void> {
    const SecretId = secretId(workspace);
    if (basis) {
      const ClientRequestToken = nextVersion(basis.version);
      await client().send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken }));
    } else {
      const Description = 'What a workspace has of its own: the private keys of its Flows';
      await client().send(new CreateSecretCommand({ Name: SecretId, SecretString, Description }));
    }
  }

  return {
    async read(workspace: string): Promise<KeyRing> {
      const SecretId = secretId(workspace);
      try {
        const { SecretString, VersionId = '' } = await client().send(new GetSecretValueCommand({ SecretId }));
        const parsed = z.safeParse(workspaceSecret, parseJson(SecretString));
        // The parse error would quote the secret: it is not passed on.
        if (!parsed.success) throw new Error(`The secret ${SecretId} is not {"flow_keys": […], …}`);
        return { keys: parsed.data.flow_keys ?? [], basis: { version: VersionId, secret: parsed.data } };
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return { keys: [] };
        throw error;
      }
    },

    /** Replaces the keys of a ring; `false` when somebody else wrote since it was read. */
    async replace(workspace: string, ring: KeyRing, keys: readonly FlowKey[]): Promise<boolean> {
      try {
        await write(workspace, ring, JSON.stringify({ ...ring.basis?.secret, flow_keys: keys }));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    },
  };
}

/** Of two writers who know the same version, both name the next one alike, and Secrets Manager refuses the second. */
function nextVersion(version: string): string {
  return createHash('sha256').update(version).digest('hex');
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
