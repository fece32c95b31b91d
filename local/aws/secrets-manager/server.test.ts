import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  type CreateSecretCommandInput,
  DeleteSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import type { Access } from '../base/signatures/aws-access.ts';
import { type SecretsManagerOptions, type SecretsManagerServer, startSecretsManager } from './server.ts';

let server: SecretsManagerServer;
let client: SecretsManagerClient;

async function start(options: Partial<SecretsManagerOptions> = {}): Promise<void> {
  server = await startSecretsManager({ signers: testSigners, ...options });
  client = new SecretsManagerClient({
    ...{ region: 'us-east-1', endpoint: server.url, credentials: testCredentials, maxAttempts: 1 },
  });
}

async function stop(): Promise<void> {
  client.destroy();
  await server.close();
}

beforeEach(() => start());
afterEach(stop);

const create = (input: CreateSecretCommandInput) => client.send(new CreateSecretCommand(input));
const put = (input: PutSecretValueCommandInput) => client.send(new PutSecretValueCommand(input));
const get = (SecretId: string | undefined) => client.send(new GetSecretValueCommand({ SecretId }));

describe('values', () => {
  it('are found by name, ARN and ARN without suffix', async () => {
    const { ARN = '', VersionId } = await create({ Name: 'platform/upstream', SecretString: 'ü' });
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:platform\/upstream-[A-Za-z0-9]{6}$/);
    for (const id of ['platform/upstream', ARN, ARN.slice(0, -7)]) {
      expect(await get(id)).toMatchObject({
        ARN,
        Name: 'platform/upstream',
        SecretString: 'ü',
        VersionId,
        VersionStages: ['AWSCURRENT'],
      });
    }
    for (const id of [`${ARN.slice(0, -6)}aaaaaa`, 'platform', ARN.replace('us-east-1', 'eu-west-1')]) {
      await expect(get(id)).rejects.toBeInstanceOf(ResourceNotFoundException);
    }
  });

  it('are stored as new versions', async () => {
    const first = await create({ Name: 'key', SecretString: 'one' });
    const second = await put({ SecretId: 'key', SecretString: 'two' });
    expect(second.VersionId).not.toBe(first.VersionId);
    expect(await get('key')).toMatchObject({ SecretString: 'two', VersionId: second.VersionId });
  });

  it('are stored once if the request is repeated', async () => {
    await create({ Name: 'key', SecretString: 'zero' });
    const ClientRequestToken = 'a'.repeat(32);
    const first = await put({ SecretId: 'key', SecretString: 'one', ClientRequestToken });
    expect((await put({ SecretId: 'key', SecretString: 'one', ClientRequestToken })).VersionId).toBe(first.VersionId);
    await expect(put({ SecretId: 'key', SecretString: 'two', ClientRequestToken })).rejects.toBeInstanceOf(
      ResourceExistsException,
    );
    await put({ SecretId: 'key', SecretString: 'three' });
    const late = await put({ SecretId: 'key', SecretString: 'one', ClientRequestToken });
    expect([late.VersionStages, (await get('key')).SecretString]).toEqual([[], 'three']);
  });

  it('are rejected if they are empty or too long', async () => {
    await create({ Name: 'key', SecretString: 'x'.repeat(65_536) });
    for (const SecretString of ['', 'x'.repeat(65_537)]) {
      await expect(put({ SecretId: 'key', SecretString })).rejects.toBeInstanceOf(InvalidParameterException);
    }
  });
});

describe('secrets', () => {
  it('secrets require unique names', async () => {
    await create({ Name: 'key', SecretString: 'one' });
    await expect(create({ Name: 'key', SecretString: 'two' })).rejects.toBeInstanceOf(ResourceExistsException);
    await expect(create({ Name: 'not a name', SecretString: 'x' })).rejects.toBeInstanceOf(InvalidParameterException);
  });

  it('are deleted at once', async () => {
    await create({ Name: 'key', SecretString: 'x' });
    await client.send(new DeleteSecretCommand({ SecretId: 'key', ForceDeleteWithoutRecovery: true }));
    await expect(get('key')).rejects.toBeInstanceOf(ResourceNotFoundException);
    await create({ Name: 'key', SecretString: 'y' });
  });
});

describe('access', () => {
  it('is limited by the permissions, even for secrets that do not exist', async () => {
    const asked: Access[] = [];
    await stop();
    await start({
      authorize(access) {
        asked.push(access);
        if (access.resource.includes('secret:forbidden')) throw new Error('no policy allows it');
      },
    });
    const arn = server.put('allowed', 'x');
    server.put('forbidden', 'x');
    await get('allowed');
    const denied = { name: 'AccessDeniedException', message: 'no policy allows it' };
    await expect(get('forbidden')).rejects.toMatchObject(denied);
    await expect(get('forbidden-too')).rejects.toMatchObject(denied);
    expect(asked[0]).toEqual({
      accessKeyId: 'test',
      action: 'secretsmanager:GetSecretValue',
      resource: arn,
    });
  });
});

describe('lifecycle', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('keeps secrets and their ARNs between runs', async () => {
    await stop();
    await start({ dataDir });
    const arn = server.put('key', 'one');
    expect(server.put('key', 'two')).toBe(arn);
    expect([server.read('key'), server.read('none')]).toEqual(['two', undefined]);
    await stop();
    await start({ dataDir });
    expect((await get(arn)).SecretString).toBe('two');
  });
});
