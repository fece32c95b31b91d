import { DeleteSecretCommand } from '@aws-sdk/client-secrets-manager';
import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { SecretsManager } from './client.ts';
import { readSecret, replaceSecret } from './versioned-secret.ts';

/** The content of a secret with credentials, and its version. */
export interface StoredCredentials {
  values: JsonObject;
  version: string;
}

/** A secret with the credentials of the deployment or of a workspace, for those who change it. */
export interface CredentialsSecret {
  name: string;
  /** Resolves with `undefined` if the secret does not exist. */
  read(): Promise<StoredCredentials | undefined>;
  /** Resolves with `false` if somebody else changed the secret since it was read. */
  replace(current: StoredCredentials | undefined, values: JsonObject): Promise<boolean>;
  /** Deletes the secret at once. */
  delete(): Promise<void>;
}

export function credentialsSecret(client: SecretsManager, name: string): CredentialsSecret {
  return {
    name,

    async read() {
      const secret = await readSecret(client, name);
      if (secret === undefined) return undefined;
      const values = parseJson(secret.text);
      // Content that nothing can read is replaced when credentials are stored.
      return { values: isObject(values) ? values : {}, version: secret.version };
    },

    replace(current, values) {
      const Description = 'The credentials of a workspace for the WhatsApp Cloud API';
      return replaceSecret(client, name, JSON.stringify(values), { version: current?.version, Description });
    },

    async delete() {
      await client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }));
    },
  };
}
