import type { SecretsManagerServer } from '../secrets-manager/server.ts';
import { readSecrets } from '../template/storage.ts';
import type { Stack } from './stack.ts';

/** Gives the secret with this name the value, whether the template creates it or uses an existing one. */
export function putSecret(stack: Stack, secretsManager: SecretsManagerServer, name: string, value: string): void {
  const arn = secretsManager.put(name, value);
  const own = readSecrets(stack.template, stack.resolve).find((secret) => secret.name === name);
  if (own) stack.setReference(own.logicalId, arn);
}
