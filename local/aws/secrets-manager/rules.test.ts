import {
  CreateSecretCommand,
  type CreateSecretCommandInput,
  DeleteSecretCommand,
  type DeleteSecretCommandInput,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  InvalidRequestException,
  ListSecretsCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { type StrictRule, testStrictRules } from '#support/strict-rules.ts';
import { type SecretsManagerServer, startSecretsManager } from './server.ts';

let time: number;
let server: SecretsManagerServer;
let client: SecretsManagerClient;

beforeEach(async () => {
  time = Date.UTC(2026, 0, 1);
  server = await startSecretsManager({ now: () => time, signers: testSigners });
  server.put('key', 'value');
  client = new SecretsManagerClient({
    region: 'us-east-1',
    endpoint: server.url,
    credentials: testCredentials,
    maxAttempts: 1,
  });
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

const create = (input: Partial<CreateSecretCommandInput>) => () =>
  client.send(new CreateSecretCommand({ Name: 'new', SecretString: 'x', ...input }));
const put = (input: Partial<PutSecretValueCommandInput>) => () =>
  client.send(new PutSecretValueCommand({ SecretId: 'key', SecretString: 'x', ...input }));
const get = (input: Partial<GetSecretValueCommandInput>) => () =>
  client.send(new GetSecretValueCommand({ SecretId: 'key', ...input }));
const remove = (input: Partial<DeleteSecretCommandInput>) => () =>
  client.send(new DeleteSecretCommand({ SecretId: 'key', ...input }));
const list = (MaxResults: number) => () => client.send(new ListSecretsCommand({ MaxResults }));
const inTurn =
  (...requests: (() => Promise<unknown>)[]) =>
  async () => {
    for (const request of requests) await request();
  };
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `stage-${index}`);
const token = 'a'.repeat(32);

/** `page` is an action of the Secrets Manager API Reference, or the title of a page of the User Guide. */
const rules: readonly StrictRule[] = [
  {
    rule: 'a name has at most 512 characters',
    page: 'CreateSecret',
    accepted: create({ Name: 'x'.repeat(512) }),
    rejected: create({ Name: 'x'.repeat(513) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a name consists of letters, digits and /_+=.@-',
    page: 'CreateSecret',
    accepted: create({ Name: 'aZ9/_+=.@-' }),
    rejected: create({ Name: 'not a name' }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a name is used once',
    page: 'CreateSecret',
    accepted: create({ Name: 'other' }),
    rejected: create({ Name: 'key' }),
    error: 'ResourceExistsException',
  },
  {
    rule: 'a name is not used while its secret is scheduled for deletion',
    page: 'DeleteSecret',
    accepted: inTurn(remove({ ForceDeleteWithoutRecovery: true }), create({ Name: 'key' })),
    rejected: inTurn(remove({}), create({ Name: 'key' })),
    error: 'InvalidRequestException',
  },
  {
    rule: 'a description has at most 2,048 characters',
    page: 'CreateSecret',
    accepted: create({ Description: 'x'.repeat(2048) }),
    rejected: create({ Description: 'x'.repeat(2049) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a value is a text or bytes',
    page: 'CreateSecret',
    accepted: create({ SecretString: undefined, SecretBinary: Uint8Array.of(1) }),
    rejected: create({ SecretBinary: Uint8Array.of(1) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a value is not empty',
    page: 'PutSecretValue',
    accepted: put({ SecretString: ' ' }),
    rejected: put({ SecretString: '' }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a new version has a value',
    page: 'PutSecretValue',
    accepted: put({}),
    rejected: put({ SecretString: undefined }),
    error: 'InvalidRequestException',
  },
  {
    rule: 'a value has at most 65,536 bytes',
    page: 'AWS Secrets Manager quotas',
    accepted: put({ SecretString: 'é'.repeat(32_768) }),
    rejected: put({ SecretString: `x${'é'.repeat(32_768)}` }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a token has at least 32 characters',
    page: 'PutSecretValue',
    accepted: put({ ClientRequestToken: 'x'.repeat(32) }),
    rejected: put({ ClientRequestToken: 'x'.repeat(31) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a token has at most 64 characters',
    page: 'CreateSecret',
    accepted: create({ ClientRequestToken: 'x'.repeat(64) }),
    rejected: create({ ClientRequestToken: 'x'.repeat(65) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a version never changes',
    page: 'PutSecretValue',
    accepted: inTurn(
      put({ SecretString: 'one', ClientRequestToken: token }),
      put({ SecretString: 'one', ClientRequestToken: token }),
    ),
    rejected: inTurn(
      put({ SecretString: 'one', ClientRequestToken: token }),
      put({ SecretString: 'two', ClientRequestToken: token }),
    ),
    error: 'ResourceExistsException',
  },
  {
    rule: 'a version without labels is kept for a day and does not change either',
    page: 'AWS Secrets Manager quotas',
    accepted: inTurn(
      put({ SecretString: 'one', ClientRequestToken: token }),
      put({ SecretString: 'two' }),
      put({ SecretString: 'three' }),
      put({ SecretString: 'one', ClientRequestToken: token }),
    ),
    rejected: inTurn(
      put({ SecretString: 'one', ClientRequestToken: token }),
      put({ SecretString: 'two' }),
      put({ SecretString: 'three' }),
      put({ SecretString: 'four', ClientRequestToken: token }),
    ),
    error: 'ResourceExistsException',
  },
  {
    rule: 'a new version has at least one label',
    page: 'PutSecretValue',
    accepted: put({ VersionStages: ['AWSPENDING'] }),
    rejected: put({ VersionStages: [] }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a version has at most 20 labels',
    page: 'AWS Secrets Manager quotas',
    accepted: put({ VersionStages: numbered(20) }),
    rejected: put({ VersionStages: numbered(21) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a label has at most 256 characters',
    page: 'PutSecretValue',
    accepted: put({ VersionStages: ['x'.repeat(256)] }),
    rejected: put({ VersionStages: ['x'.repeat(257)] }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a version that is read by its label has it',
    page: 'GetSecretValue',
    accepted: get({ VersionStage: 'AWSCURRENT' }),
    rejected: get({ VersionStage: 'AWSPREVIOUS' }),
    error: 'ResourceNotFoundException',
  },
  {
    rule: 'an id of a version has at least 32 characters',
    page: 'GetSecretValue',
    accepted: inTurn(put({ ClientRequestToken: token }), get({ VersionId: token })),
    rejected: get({ VersionId: 'x'.repeat(31) }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a secret that is scheduled for deletion is not read',
    page: 'DeleteSecret',
    accepted: get({}),
    rejected: inTurn(remove({}), get({})),
    error: 'InvalidRequestException',
  },
  {
    rule: 'a secret that is scheduled for deletion gets no version',
    page: 'DeleteSecret',
    accepted: put({}),
    rejected: inTurn(remove({}), put({})),
    error: 'InvalidRequestException',
  },
  {
    rule: 'a recovery window has at least 7 days',
    page: 'DeleteSecret',
    accepted: remove({ RecoveryWindowInDays: 7 }),
    rejected: remove({ RecoveryWindowInDays: 6 }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a recovery window has at most 30 days',
    page: 'DeleteSecret',
    accepted: remove({ RecoveryWindowInDays: 30 }),
    rejected: remove({ RecoveryWindowInDays: 31 }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a secret is deleted at once or after a window',
    page: 'DeleteSecret',
    accepted: remove({ ForceDeleteWithoutRecovery: true }),
    rejected: remove({ ForceDeleteWithoutRecovery: true, RecoveryWindowInDays: 7 }),
    error: 'InvalidParameterException',
  },
  {
    rule: 'a page of a list has at most 100 secrets',
    page: 'ListSecrets',
    accepted: list(100),
    rejected: list(101),
    error: 'ValidationException',
  },
  {
    rule: 'a parameter that the local Secrets Manager does not serve is an error',
    page: 'CreateSecret, "Tags"',
    accepted: create({}),
    rejected: create({ Tags: [{ Key: 'a', Value: 'b' }] }),
    error: 'ValidationException',
  },
];

testStrictRules(rules);

it('a caller without the SDK sends a token of its own (CreateSecret, "ClientRequestToken")', async () => {
  // The SDK would add one to the input.
  const withoutToken = (request: unknown) => Object.assign(request as object, { body: '{"Name":"new"}' });
  client.middlewareStack.add((next) => (args) => next({ ...args, request: withoutToken(args.request) }), {
    step: 'build',
    priority: 'high',
  });
  await expect(create({})()).rejects.toBeInstanceOf(InvalidRequestException);
});
