import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { functionCredentials, keptAdministrator } from './credentials.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, 'aws-credentials');

it('the administrator has a random secret that stays, in a file of its own for AWS tools', async () => {
  const administrator = keptAdministrator(folder);
  expect(keptAdministrator(folder)).toEqual(administrator);
  expect(keptAdministrator(join(folder, 'other')).secretAccessKey).not.toBe(administrator.secretAccessKey);
  const { accessKeyId, secretAccessKey } = administrator;
  expect(await readFile(file(), 'utf8')).toContain(
    `[local]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
  );
});

it.skipIf(process.platform === 'win32')('nobody but its owner may read the secret', async () => {
  keptAdministrator(folder);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
});

it('each function has a secret and a token of its own, which stay as long as those of the administrator', () => {
  const administrator = keptAdministrator(folder);
  const one = functionCredentials(administrator, 'One');
  expect(functionCredentials(keptAdministrator(folder), 'One')).toEqual(one);
  const other = functionCredentials(administrator, 'Other');
  const secrets = [one, other, administrator].flatMap((each) => [each.secretAccessKey, each.sessionToken]);
  expect(new Set(secrets).size).toBe(secrets.length);
});
