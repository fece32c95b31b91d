import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeAws, FakeAwsError, startFakeAws } from '#support/fakes/fake-aws.ts';
import { findDeployment } from './stage.ts';
import { openTarget } from './target.ts';
import { describeFailure } from './terminal/failures.ts';

const outputs = {
  ApiUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com',
  TableName: 'messaging-prod-Table-EXAMPLE',
  BucketName: 'messaging-prod-bucket-example',
  UpstreamSecretName: 'messaging/prod/upstream',
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

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
beforeEach(() => {
  aws.set(stack(outputs));
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});
afterAll(() => aws.close());

/** What a person reads. */
const failure = (stage = 'prod') => findDeployment(stage).then(() => 'none', describeFailure);

describe('a stage', () => {
  it('is found by the outputs of its stack', async () => {
    const { table, baseUrl } = await openTarget({ stage: 'prod' });
    expect({ table: table.name, baseUrl }).toEqual({ table: outputs.TableName, baseUrl: outputs.ApiUrl });
    table.client.destroy();
  });

  it('has the address and the platform that its outputs name', async () => {
    const UpstreamBaseUrl = 'https://graph.example.com';
    aws.set(
      stack({
        ...outputs,
        BaseUrl: 'https://api.example.com',
        UpstreamBaseUrl,
        UpstreamGraphVersion: 'v26.0',
        CodeVersion: '0123',
      }),
    );
    expect(await findDeployment('prod')).toEqual({
      baseUrl: 'https://api.example.com',
      tableName: outputs.TableName,
      bucketName: outputs.BucketName,
      upstream: { secretId: outputs.UpstreamSecretName, baseUrl: UpstreamBaseUrl, graphVersion: 'v26.0' },
      deadLetterQueueUrl: outputs.DeadLetterQueueUrl,
      codeVersion: '0123',
    });
  });

  it('of an older version is known to be older, as it does not say which code it runs', async () => {
    const target = await openTarget({ stage: 'prod' });
    expect(target.surroundings).toMatchObject({ codeVersion: null });
    target.table.client.destroy();
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

  it('is asked for if no option names it', async () => {
    vi.stubEnv('TABLE_NAME', '');
    await expect(openTarget({})).rejects.toThrow(/^Which service\? Give --local .* --stage <stage>/);
  });

  it.each([
    { stage: 'prod', local: true },
    { stage: 'prod', table: 'messages' },
    { local: true, table: 'messages' },
  ] as const)('is one of three ways to name the service: %j is an error', async (options) => {
    await expect(openTarget(options)).rejects.toThrow(
      'Give one of --local, --live, --stage <stage> and --table <name>',
    );
  });
});
