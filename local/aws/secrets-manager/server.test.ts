import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  type CreateSecretCommandInput,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  InvalidParameterException,
  InvalidRequestException,
  ListSecretsCommand,
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

const time = Date.UTC(2026, 0, 1);
const days = (count: number) => new Date(time + count * 86_400_000);

let server: SecretsManagerServer;
let client: SecretsManagerClient;

async function start(options: Partial<SecretsManagerOptions> = {}): Promise<void> {
  server = await startSecretsManager({ now: () => time, signers: testSigners, ...options });
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
const get = (SecretId: string | undefined, more: Partial<GetSecretValueCommandInput> = {}) =>
  client.send(new GetSecretValueCommand({ SecretId, ...more }));

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
        CreatedDate: new Date(time),
      });
    }
    for (const id of [`${ARN.slice(0, -6)}aaaaaa`, 'platform', ARN.replace('us-east-1', 'eu-west-1')]) {
      await expect(get(id)).rejects.toBeInstanceOf(ResourceNotFoundException);
    }
  });

  it('are not confused if a name ends like a suffix', async () => {
    server.put('key', 'short');
    server.put('key-abcdef', 'long');
    expect((await get('key')).SecretString).toBe('short');
    expect((await get('key-abcdef')).SecretString).toBe('long');
  });

  it('are stored as new versions, and the last one remains as the previous', async () => {
    const first = await create({ Name: 'key', SecretString: 'one' });
    const second = await put({ SecretId: 'key', SecretString: 'two' });
    expect((await get('key')).SecretString).toBe('two');
    expect((await get('key', { VersionStage: 'AWSPREVIOUS' })).SecretString).toBe('one');
    expect((await get('key', { VersionId: first.VersionId })).SecretString).toBe('one');
    const third = await put({ SecretId: 'key', SecretBinary: Uint8Array.of(0, 255) });
    expect(await get('key')).toMatchObject({ SecretBinary: Uint8Array.of(0, 255) });
    await expect(get('key', { VersionId: first.VersionId })).rejects.toBeInstanceOf(ResourceNotFoundException);
    const { VersionIdsToStages } = await client.send(new DescribeSecretCommand({ SecretId: 'key' }));
    expect(VersionIdsToStages).toEqual({
      [second.VersionId ?? '']: ['AWSPREVIOUS'],
      [third.VersionId ?? '']: ['AWSCURRENT'],
    });
  });

  it('may be stored under another stage without becoming current', async () => {
    await create({ Name: 'key', SecretString: 'one' });
    await put({ SecretId: 'key', SecretString: 'next', VersionStages: ['AWSPENDING'] });
    expect((await get('key')).SecretString).toBe('one');
    expect((await get('key', { VersionStage: 'AWSPENDING' })).SecretString).toBe('next');
  });

  it('are stored once if the request is repeated', async () => {
    await create({ Name: 'key' });
    await expect(get('key')).rejects.toBeInstanceOf(ResourceNotFoundException);
    const ClientRequestToken = 'a'.repeat(32);
    const first = await put({ SecretId: 'key', SecretString: 'one', ClientRequestToken });
    expect((await put({ SecretId: 'key', SecretString: 'one', ClientRequestToken })).VersionId).toBe(first.VersionId);
    await expect(put({ SecretId: 'key', SecretString: 'two', ClientRequestToken })).rejects.toBeInstanceOf(
      ResourceExistsException,
    );
  });

  it('are rejected if they are duplicated, missing or too long', async () => {
    await expect(create({ Name: 'both', SecretString: 'x', SecretBinary: Uint8Array.of(1) })).rejects.toBeInstanceOf(
      InvalidParameterException,
    );
    await expect(create({ Name: 'key', SecretString: '' })).rejects.toBeInstanceOf(InvalidParameterException);
    await create({ Name: 'key' });
    await expect(put({ SecretId: 'key' })).rejects.toBeInstanceOf(InvalidRequestException);
    await put({ SecretId: 'key', SecretString: 'x'.repeat(65_536) });
    await expect(put({ SecretId: 'key', SecretString: 'x'.repeat(65_537) })).rejects.toBeInstanceOf(
      InvalidParameterException,
    );
  });
});

describe('secrets', () => {
  it('require unique names', async () => {
    await create({ Name: 'key', SecretString: 'one' });
    await expect(create({ Name: 'key' })).rejects.toBeInstanceOf(ResourceExistsException);
    await expect(create({ Name: 'not a name' })).rejects.toBeInstanceOf(InvalidParameterException);
  });

  it('are described, and are listed page by page', async () => {
    for (const Name of ['b', 'a', 'c']) await create({ Name, Description: `the ${Name}`, SecretString: 'x' });
    const page = await client.send(new ListSecretsCommand({ MaxResults: 2 }));
    expect(page.SecretList?.map(({ Name }) => Name)).toEqual(['a', 'b']);
    const rest = await client.send(new ListSecretsCommand({ NextToken: page.NextToken }));
    expect(rest.SecretList).toMatchObject([{ Name: 'c', Description: 'the c', CreatedDate: new Date(time) }]);
    expect(rest.NextToken).toBeUndefined();
    const filtered = new ListSecretsCommand({ Filters: [{ Key: 'name', Values: ['a'] }] });
    await expect(client.send(filtered)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('are deleted after a delay, or at once', async () => {
    await create({ Name: 'later', SecretString: 'x' });
    const deleted = await client.send(new DeleteSecretCommand({ SecretId: 'later', RecoveryWindowInDays: 7 }));
    expect(deleted.DeletionDate).toEqual(days(7));
    await expect(get('later')).rejects.toBeInstanceOf(InvalidRequestException);
    await expect(put({ SecretId: 'later', SecretString: 'y' })).rejects.toBeInstanceOf(InvalidRequestException);
    await expect(create({ Name: 'later' })).rejects.toBeInstanceOf(InvalidRequestException);
    expect((await client.send(new ListSecretsCommand({}))).SecretList).toEqual([]);
    const all = await client.send(new ListSecretsCommand({ IncludePlannedDeletion: true }));
    expect(all.SecretList).toMatchObject([{ Name: 'later', DeletedDate: days(7) }]);

    await client.send(new DeleteSecretCommand({ SecretId: 'later', ForceDeleteWithoutRecovery: true }));
    await expect(get('later')).rejects.toBeInstanceOf(ResourceNotFoundException);
    await create({ Name: 'later' });
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
    expect((await get('key', { VersionStage: 'AWSPREVIOUS' })).SecretString).toBe('one');
  });

  it('lets the SDK find the server through its environment variable alone', async () => {
    server.put('key', 'value');
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = server.url;
    try {
      const client = new SecretsManagerClient({ region: 'us-east-1', credentials: testCredentials });
      expect((await client.send(new GetSecretValueCommand({ SecretId: 'key' }))).SecretString).toBe('value');
      client.destroy();
    } finally {
      delete process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER;
    }
  });
});
