import type { SecretsManagerServer } from '../secrets-manager/server.ts';
import { readSecrets } from '../template/storage.ts';
import type { Stack } from './stack.ts';

/** Gives the secret with this name the value, whether the template creates it or uses an existing one. */
export function putSecret(stack: Stack, secretsManager: SecretsManagerServer, name: string, value: string): void {
  refer(stack, name, secretsManager.put(name, value));
}

/** Gives the secret with this name the value, unless an earlier run stored one. */
export function keepSecret(stack: Stack, secretsManager: SecretsManagerServer, name: string, value: string): void {
  refer(stack, name, secretsManager.find(name) ?? secretsManager.put(name, value));
}

function refer(stack: Stack, name: string, arn: string): void {
  const own = readSecrets(stack.template, stack.resolve).find((secret) => secret.name === name);
  if (own) stack.setReference(own.logicalId, arn);
}
