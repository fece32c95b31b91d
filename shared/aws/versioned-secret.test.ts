import { GetSecretValueCommand, type PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect, it } from 'vitest';
import { replaceSecret, type SecretsManager } from './versioned-secret.ts';

/** A secret whose versions can be rolled back, as Secrets Manager's documentation describes PutSecretValue. */
function fakeSecret() {
  const versions = new Map([['first', 'a']]);
  const secret = { current: 'first', versions };
  const send = async (command: GetSecretValueCommand | PutSecretValueCommand) => {
    if (command instanceof GetSecretValueCommand) {
      return { SecretString: versions.get(secret.current), VersionId: secret.current };
    }
    const { ClientRequestToken: id = '', SecretString: text = '' } = command.input;
    if (versions.has(id) && versions.get(id) !== text) {
      throw Object.assign(new Error('exists'), { name: 'ResourceExistsException' });
    }
    if (!versions.has(id)) secret.current = id;
    versions.set(id, text);
    return { VersionId: id, VersionStages: secret.current === id ? ['AWSCURRENT'] : ['AWSPREVIOUS'] };
  };
  return { secret, client: { send } as unknown as SecretsManager };
}

it.each(['c', 'b'])('a secret that was rolled back can be replaced, also by what it had: %s', async (text) => {
  const { secret, client } = fakeSecret();
  const write = (value: string) => replaceSecret(client, 'key', value, { version: 'first', Description: 'Key' });
  expect(await write('b')).toBe(true);
  secret.current = 'first';
  expect(await write(text)).toBe(true);
  expect(secret.versions.get(secret.current)).toBe(text);
  expect(await write('d')).toBe(false);
});
