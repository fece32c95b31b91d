import type { SecretsManagerServer } from '../secrets-manager/server.ts';
import { readSecrets } from '../template/storage.ts';
import type { Stack } from './stack.ts';

/** Gives all secrets of the template the same value. Returns their names. */
export function putSecrets(stack: Stack, secretsManager: SecretsManagerServer, value: string): string[] {
  return readSecrets(stack.template, stack.resolve).map(({ logicalId, name }) => {
    stack.setReference(logicalId, secretsManager.put(name, value));
    return name;
  });
}
