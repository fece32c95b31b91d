import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { shellWords } from '#support/command-line.ts';
import { FakeAwsError, startFakeAws } from '#support/fakes/fake-aws.ts';
import { forAllTests } from '#support/for-tests.ts';
import { openTarget } from './open-target.ts';
import { describeFailure } from './terminal/describe-failure.ts';
import { Rejection } from './terminal/errors.ts';

const outputs = {
  BaseUrl: 'https://api.example.com',
  TableName: 'messaging-prod-Table-EXAMPLE',
  BucketName: 'messaging-prod-bucket-example',
  UpstreamSecretName: 'messaging/prod/upstream',
  UpstreamBaseUrl: 'https://graph.example.com',
  UpstreamGraphVersion: 'v26.0',
  CodeVersion: '0123',
  DeadLetterQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/dead-letters',
};

const stack = (values: Record<string, string>, StackStatus = 'UPDATE_COMPLETE') => ({
  'cloudformation:DescribeStacks': () => ({
    Stacks: [
      {
        StackName: 'messaging-prod',
        CreationTime: '2026-11-25T00:00:00Z',
        StackStatus,
        Outputs: Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  }),
});

const aws = forAllTests(() => startFakeAws());
beforeEach(() => {
  aws.set(stack(outputs));
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

/** What a person reads. */
const failure = (stage = 'prod') => openTarget({ stage }).then(() => 'none', describeFailure);

describe('a stage', () => {
  it('is found by the outputs of its stack', async () => {
    const { table, baseUrl, openUpstream, openBucket, surroundings } = await openTarget({ stage: 'prod' });
    onTestFinished(() => table.client.destroy());
    expect({ table: table.name, bucket: openBucket().name, baseUrl }).toEqual({
      table: outputs.TableName,
      bucket: outputs.BucketName,
      baseUrl: outputs.BaseUrl,
    });
    expect(openUpstream()).toMatchObject({ baseUrl: outputs.UpstreamBaseUrl, graphVersion: 'v26.0' });
    expect(openUpstream().secret.name).toBe(outputs.UpstreamSecretName);
    expect(surroundings).toMatchObject({ codeVersion: '0123', deployCommand: './messaging deploy --stage prod' });
  });

  it('can have another table, such as a restored one', async () => {
    const { table, baseUrl } = await openTarget({ stage: 'prod', table: 'messaging-prod-restored' });
    onTestFinished(() => table.client.destroy());
    expect({ table: table.name, baseUrl }).toEqual({ table: 'messaging-prod-restored', baseUrl: outputs.BaseUrl });
  });

  it('that is not deployed is named, with its region and what to do', async () => {
    aws.set({
      'cloudformation:DescribeStacks': () => {
        throw new FakeAwsError('ValidationError', 'Stack with id messaging-test does not exist');
      },
    });
    expect(await failure('test')).toBe(
      'There is no stack messaging-test in eu-west-1. Check --stage, AWS_REGION and AWS_PROFILE, or deploy it: ./messaging deploy --stage test',
    );
  });

  it('whose deployment was rolled back is named with its status', async () => {
    aws.set(stack({}, 'ROLLBACK_COMPLETE'));
    expect(await failure()).toMatch(/^The stack messaging-prod .* \(its status is ROLLBACK_COMPLETE\)\. Deploy it/);
  });

  it.each([
    ['without a region', { AWS_REGION: undefined }, /^No AWS region is configured\. Set AWS_REGION/],
    [
      'without credentials',
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_EC2_METADATA_DISABLED: 'true' },
      /^No AWS credentials were found\. Sign in and set AWS_PROFILE/,
    ],
  ])('cannot be found %s', async (_, variables, expected) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(await failure()).toMatch(expected);
  });

  it('cannot be found by somebody who may not read the stack', async () => {
    aws.set({
      'cloudformation:DescribeStacks': () => {
        throw new FakeAwsError('AccessDenied', 'not authorized to perform: cloudformation:DescribeStacks', 403);
      },
    });
    expect(await failure()).toMatch(/^These AWS credentials lack the permission cloudformation:DescribeStacks\./);
  });

  it.each([
    [{}, /^Which service\?/],
    [{ stage: 'prod', local: true }, /^Which service\?/],
    [{ live: true, local: true }, /^Which service\?/],
    [{ table: 'messages' }, /^Which service\?/],
    [{ local: true, table: 'messages' }, /give --stage <stage>/],
  ] as const)('or a world is asked for where the options do not name one: %j', async (options, expected) => {
    await expect(openTarget(options)).rejects.toThrow(expected);
  });
});

describe('a world', () => {
  /** A data folder with this `world.json`, and credentials if it has content. */
  async function folderWith(content: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'a world-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    vi.stubEnv('LOCAL_DATA_DIR', folder);
    await writeFile(join(folder, 'world.json'), content);
    return folder;
  }

  it("leads AWS's command line to its credentials, even in a folder with a space in its name", async () => {
    const aws = { region: 'us-east-1', table_name: 'messages', dynamodb: 'http://127.0.0.1:1', queue_urls: {} };
    const folder = await folderWith(JSON.stringify({ aws: { ...aws, sqs: 'http://127.0.0.1:2' } }));
    const file = join(folder, 'data', 'aws-credentials');
    await mkdir(join(folder, 'data'));
    await writeFile(file, '[local]\naws_access_key_id = id\naws_secret_access_key = secret\n');
    const { table, surroundings } = await openTarget({ local: true });
    onTestFinished(() => table.client.destroy());
    expect(shellWords(String(surroundings.awsCommand))).toEqual([
      `AWS_SHARED_CREDENTIALS_FILE=${file}`,
      ...['aws', '--profile', 'local', '--region', 'us-east-1', '--endpoint-url', 'http://127.0.0.1:2'],
    ]);
  });

  it.each(['{"aws":', '{}', '{"aws":{"region":"us-east-1"}}'])(
    'that does not run, or has no credentials, is a failure of one line: %s',
    async (content) => {
      const folder = await folderWith(content);
      const error: Error = await openTarget({ local: true }).then(Object, (reason) => reason);
      expect(error).toBeInstanceOf(Rejection);
      expect(error.message).toContain(`There is no world in ${folder}. Start the world with`);
      expect(error.message).toMatch(/^[^\n]+$/);
    },
  );
});
