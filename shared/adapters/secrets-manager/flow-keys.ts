import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { FlowKey } from '#shared/domain/flow-keys/flow-key.ts';
import type { FlowKeyStore, KeyRing } from '#shared/domain/flow-keys/flow-key-store.ts';
import type { SecretsManager } from './client.ts';
import { MalformedSecret } from './malformed-secret.ts';
import { secretBeside } from './secret-beside.ts';
import { readSecret, replaceSecret } from './versioned-secret.ts';

const flowKey = z.object({ private_key: z.string(), created_at: z.number() });
const keySecret = z.object({ flow_keys: z.array(flowKey) });

/**
 * Stores the Flow keys of workspaces. Each workspace has a secret that contains nothing else: next to the platform's
 * secret `messaging/prod/upstream`, its name is `messaging/prod/flow-keys/<id>`.
 */
export function flowKeyStore(upstreamSecretId: string, client: SecretsManager): FlowKeyStore {
  const idOf = (workspace: string) => secretBeside(upstreamSecretId, `flow-keys/${workspace}`);

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

    replace(workspace: string, { version }: KeyRing, keys: readonly FlowKey[]): Promise<boolean> {
      const Description = 'The private keys of the Flows of a workspace';
      return replaceSecret(client, idOf(workspace), JSON.stringify({ flow_keys: keys }), { version, Description });
    },
  };
}
