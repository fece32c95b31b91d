import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deploymentOptions } from '#support/command-line.ts';
import { FakeAwsError, startFakeAws } from '#support/fakes/fake-aws.ts';
import { forAllTests } from '#support/for-tests.ts';
import { askLine } from './deployment-terminal.ts';
import { destroy } from './destroy.ts';

const aws = forAllTests(() => startFakeAws());
beforeEach(() => {
  aws.calls.length = 0;
  vi.stubEnv('HOME', '/nowhere');
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

const physicalIds: Record<string, [type: string, id: string]> = {
  Table: ['AWS::DynamoDB::GlobalTable', 'messaging-prod-Table-1'],
  Bucket: ['AWS::S3::Bucket', 'messaging-bucket-1'],
  UpstreamSecret: [
    'AWS::SecretsManager::Secret',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:messaging/prod/upstream-AbCdEf',
  ],
  ListFlows: ['AWS::Lambda::Function', 'messaging-prod-ListFlows-1'],
};

interface Deployed {
  kept: string[];
  isProtected: boolean;
  /** What belongs to the stack. */
  owned?: string[];
  status?: string;
  hasOutputs?: boolean;
}

/** What the stack's protection was set to, in this order. */
const protections: string[] = [];

/** A deployed stack whose template keeps these resources. */
function deployed({
  kept,
  isProtected,
  owned = Object.keys(physicalIds),
  status = 'UPDATE_COMPLETE',
  hasOutputs = true,
}: Deployed) {
  let objects = ['flows/1', 'flows/2'];
  protections.length = 0;
  aws.set({
    'sts:GetCallerIdentity': () => ({ Account: '123456789012' }),
    'cloudformation:DescribeStacks': () => ({
      Stacks: [
        {
          StackName: 'messaging-prod',
          CreationTime: '2026-11-25T00:00:00Z',
          StackStatus: status,
          EnableTerminationProtection: isProtected,
          Outputs: hasOutputs
            ? [
                { OutputKey: 'TableName', OutputValue: 'messaging-prod-Table-1' },
                { OutputKey: 'UpstreamSecretName', OutputValue: 'messaging/prod/upstream' },
              ]
            : [],
        },
      ],
    }),
    'cloudformation:GetTemplate': () => ({
      TemplateBody: JSON.stringify({
        Resources: Object.fromEntries(
          Object.keys(physicalIds).map((id) => [
            id,
            { DeletionPolicy: kept.includes(id) ? 'RetainExceptOnCreate' : 'Delete' },
          ]),
        ),
      }),
    }),
    'cloudformation:ListStackResources': () => ({
      StackResourceSummaries: Object.entries(physicalIds).map(
        ([LogicalResourceId, [ResourceType, PhysicalResourceId]]) => ({
          LogicalResourceId,
          PhysicalResourceId,
          ResourceType,
          ResourceStatus: owned.includes(LogicalResourceId) ? 'CREATE_COMPLETE' : 'DELETE_COMPLETE',
        }),
      ),
    }),
    'cloudformation:UpdateTerminationProtection': ({ EnableTerminationProtection: on }) => {
      protections.push(String(on));
      return { StackId: 'x' };
    },
    's3:GET /messaging-bucket-1': () => ({ Contents: objects.map((Key) => ({ Key })) }),
    's3:POST /messaging-bucket-1': () => {
      objects = [];
      return {};
    },
  });
}

async function run(answer: string | undefined, ...words: string[]) {
  return runWith(0, answer, ...words);
}

/** @param cdkCode the exit code of the CDK */
async function runWith(cdkCode: number, answer: string | undefined, ...words: string[]) {
  const cdk: string[][] = [];
  const out: string[] = [];
  const { typed, approval } = deploymentOptions(words);
  const code = await destroy(typed, approval, process.env, {
    print: (text) => void out.push(text),
    printError: (text) => void out.push(text),
    ask: async () => answer,
    async runCdk(each) {
      cdk.push([...each]);
      return cdkCode;
    },
  });
  return { code, cdk, out: out.join('\n') };
}

const changes = () => aws.calls.filter((name) => /Update|Delete|POST \/messaging/.test(name));

describe('destroy', () => {
  it('says what prod keeps, and how to use it again or to delete it', async () => {
    deployed({ kept: ['Table', 'Bucket', 'UpstreamSecret'], isProtected: true });
    const { code, cdk, out } = await run('prod', '--stage', 'prod');
    expect({ code, cdk }).toEqual({ code: 0, cdk: [['destroy', 'messaging-prod', '--force', '-c', 'stage=prod']] });
    expect(out).toMatch(/removed: 1\n +1 {2}AWS::Lambda::Function\nResources that are kept .*: 3\n/);
    expect(out).toContain('messaging-prod-Table-1');
    expect(out).toContain(
      './messaging deploy --stage prod --existing-table messaging-prod-Table-1 --existing-secret messaging/prod/upstream',
    );
    expect(out).toContain('aws dynamodb delete-table --table-name messaging-prod-Table-1');
    expect(out).toContain('aws s3 rb s3://messaging-bucket-1 --force');
    expect(changes()).toEqual(['cloudformation:UpdateTerminationProtection']);
  });

  it.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_FAILED'])(
    'switches off the protection of a stack in %s, so that the CDK can delete it, and names the table that stays',
    async (status) => {
      deployed({ kept: ['Table'], isProtected: true, owned: ['Table'], status, hasOutputs: false });
      const { code, cdk, out } = await run('prod', '--stage', 'prod');
      expect({ code, cdk }).toEqual({ code: 0, cdk: [['destroy', 'messaging-prod', '--force', '-c', 'stage=prod']] });
      expect(changes()).toEqual(['cloudformation:UpdateTerminationProtection']);
      expect(out).toContain('aws dynamodb delete-table --table-name messaging-prod-Table-1');
    },
  );

  it('switches the protection on again if the CDK fails', async () => {
    deployed({ kept: ['Table'], isProtected: true });
    const { code, out } = await runWith(1, 'prod', '--stage', 'prod');
    expect({ code, protections }).toEqual({ code: 1, protections: ['false', 'true'] });
    expect(out).toContain('protected against deletion again');
  });

  it('switches the protection on again if the bucket cannot be emptied', async () => {
    deployed({ kept: ['Table'], isProtected: true });
    aws.set({
      's3:POST /messaging-bucket-1': () => {
        throw new FakeAwsError('AccessDenied');
      },
    });
    const { code, cdk } = await run('prod', '--stage', 'prod');
    expect({ code, cdk, protections }).toEqual({ code: 1, cdk: [], protections: ['false', 'true'] });
  });

  it('says where the secrets of workspaces are, which are not of the stack, and how to delete them', async () => {
    deployed({ kept: [], isProtected: false });
    const { out } = await run('prod', '--stage', 'prod');
    const [before, after = ''] = out.split('is removed.');
    for (const prefix of ['messaging/prod/credentials/', 'messaging/prod/flow-keys/']) {
      expect(before).toContain(`\n  ${prefix}\n`);
      expect(after).toContain(`--filters Key=name,Values=${prefix}\n`);
    }
    expect(after).toContain('aws secretsmanager delete-secret --recovery-window-in-days 30 --secret-id NAME');
  });

  it('names what the stack only uses, and deletes nothing that is also of another stage', async () => {
    deployed({ kept: [], isProtected: false, owned: ['ListFlows'] });
    const { out } = await run('trial', '--stage', 'trial');
    expect(out).toMatch(
      /Kept, because the stack only uses it:\n {2}messaging-prod-Table-1\n {2}messaging\/prod\/upstream\n/,
    );
    expect(out).toContain(
      './messaging deploy --stage trial --existing-table messaging-prod-Table-1 --existing-secret messaging/prod/upstream',
    );
    expect(out).not.toContain('delete-secret');
  });

  it('names the data that goes with dev, and empties its bucket first', async () => {
    deployed({ kept: [], isProtected: false });
    const { code, out } = await run(undefined, '--stage', 'dev', '--yes');
    expect(code).toBe(0);
    expect(out).toMatch(/WITH ALL THEIR DATA:\n.*messaging-prod-Table-1/);
    expect(out).not.toMatch(/kept and continue .*: \d/);
    expect(out).toContain('2 objects of the bucket messaging-bucket-1 were deleted.');
    expect(changes()).toEqual(['s3:POST /messaging-bucket-1']);
  });

  it.each([
    ['with --dry-run', 'prod', ['--dry-run'], 0],
    ['with another answer', 'yes', [], 1],
    ['without a terminal', undefined, [], 1],
  ])('changes nothing %s', async (_, answer, words, expected) => {
    deployed({ kept: ['Table'], isProtected: true });
    const { code, cdk, out } = await run(answer, '--stage', 'prod', ...words);
    expect({ code, cdk }).toEqual({ code: expected, cdk: [] });
    expect(out).toMatch(/kept and continue .*: 1\n/);
    expect(changes()).toEqual([]);
  });

  it('needs a stage', async () => {
    const { code, out } = await run(undefined);
    expect({ code, calls: aws.calls }).toEqual({ code: 2, calls: [] });
    expect(out).toContain('Which stage?');
  });

  it('says that there is no such stack', async () => {
    aws.set({
      'cloudformation:DescribeStacks': () => {
        throw new FakeAwsError('ValidationError', 'Stack with id messaging-test does not exist');
      },
    });
    expect(await run(undefined, '--stage', 'test', '--yes')).toMatchObject({
      code: 1,
      out: 'There is no stack messaging-test in eu-west-1. Check --stage, AWS_REGION and AWS_PROFILE.',
    });
  });
});

describe('the question for the name of the stage', () => {
  it.each([
    ['Ctrl-C', '\x03', ''],
    ['Ctrl-D', '\x04', ''],
    ['a name', 'prod\r', 'prod'],
  ])('ends with %s', async (_, typed, expected) => {
    const input = new PassThrough();
    const lines = createInterface({ input, output: new PassThrough(), terminal: true });
    const reply = askLine('Which? ', lines);
    input.write(typed);
    expect(await reply).toBe(expected);
  });
});
