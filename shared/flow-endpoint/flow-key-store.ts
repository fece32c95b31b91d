import * as z from 'zod/mini';
import {
  MalformedSecret,
  readSecret,
  replaceSecret,
  type SecretsManager,
  siblingSecretName,
} from '#shared/aws/versioned-secret.ts';
import { parseJson } from '#shared/base/json.ts';

/** The private key (PKCS #8, PEM) and its time (epoch milliseconds). Phones encrypt requests with the public half. */
const flowKey = z.object({ private_key: z.string(), created_at: z.number() });

export type FlowKey = z.infer<typeof flowKey>;

/** The keys of a workspace, with the version at which they were read. */
export interface KeyRing {
  /** Newest first. */
  keys: readonly FlowKey[];
  /** The version that a write replaces; absent while the workspace has no keys. */
  version?: string;
}

const keySecret = z.object({ flow_keys: z.array(flowKey) });

export type FlowKeyStore = ReturnType<typeof flowKeyStore>;

/**
 * Stores the Flow keys of workspaces. Each workspace has a secret that contains nothing else: next to the platform's
 * secret `messaging/prod/upstream`, its name is `messaging/prod/flow-keys/<id>`.
 */
export function flowKeyStore(upstreamSecretId: string, client: SecretsManager) {
  const idOf = (workspace: string) => siblingSecretName(upstreamSecretId, `flow-keys/${workspace}`);

  return {
    async read(workspace: string): Promise<KeyRing> {
      const id = idOf(workspace);
      const secret = await readSecret(client, id);
      if (secret === undefined) return { keys: [] };
      const parsed = z.safeParse(keySecret, parseJson(secret.text));
      // The parse error would quote the secret, so it is not passed on.
      if (!parsed.success) throw new MalformedSecret(id, '{"flow_keys": […]}');
      return { keys: parsed.data.flow_keys, version: secret.version };
    },

    /** Resolves with `false` when another writer changed the keys since they were read. */
    replace(workspace: string, { version }: KeyRing, keys: readonly FlowKey[]): Promise<boolean> {
      const Description = 'The private keys of the Flows of a workspace';
      return replaceSecret(client, idOf(workspace), JSON.stringify({ flow_keys: keys }), { version, Description });
    },
  };
}
