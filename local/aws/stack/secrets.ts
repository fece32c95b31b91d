import { readSecrets } from '../template/storage.ts';
import type { Stack } from './stack.ts';

/** What a stack needs of Secrets Manager. */
export interface SecretService {
  url: string;
  /** The value of a secret; `undefined` if there is none. */
  read(name: string): string | undefined | Promise<string | undefined>;
  /** Sets the value of a secret and creates the secret if needed. Returns its ARN. */
  put(name: string, value: string): string | Promise<string>;
  /** The ARN of a secret that exists. */
  find(name: string): string | undefined | Promise<string | undefined>;
}

/** Gives the secret with this name the value, whether the template creates it or uses an existing one. */
export async function putSecret(stack: Stack, secrets: SecretService, name: string, value: string): Promise<void> {
  refer(stack, name, await secrets.put(name, value));
}

/** Gives the secret with this name the value, unless an earlier run stored one. */
export async function keepSecret(stack: Stack, secrets: SecretService, name: string, value: string): Promise<void> {
  refer(stack, name, (await secrets.find(name)) ?? (await secrets.put(name, value)));
}

function refer(stack: Stack, name: string, arn: string): void {
  const own = readSecrets(stack.template, stack.resolve).find((secret) => secret.name === name);
  if (own) stack.setReference(own.logicalId, arn);
}
