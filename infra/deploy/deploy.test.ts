import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deploymentOptions } from '#support/command-line.ts';
import { FakeAwsError, type FakeOperations, startFakeAws } from '#support/fakes/fake-aws.ts';
import { forAllTests } from '#support/for-tests.ts';
import { root } from '../paths.ts';
import { deploy } from './deploy.ts';

const fails = (code: string, message?: string) => () => {
  throw new FakeAwsError(code, message);
};

const quota = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number): FakeOperations => ({
  'lambda:GET /2016-08-19/account-settings': () => ({
    AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions },
  }),
});

/** An account that is ready for the first deployment of any stage. */
const ready: FakeOperations = {
  'sts:GetCallerIdentity': () => ({ Account: '123456789012' }),
  'ssm:GetParameter': () => ({ Parameter: { Value: '30' } }),
  'cloudformation:DescribeStacks': fails('ValidationError', 'Stack with id messaging-prod does not exist'),
  'cloudformation:GetTemplate': () => ({ TemplateBody: '{}' }),
  ...quota(1000, 1000),
  'secretsmanager:DescribeSecret': fails('ResourceNotFoundException'),
  'dynamodb:ListTables': () => ({ TableNames: ['orders'] }),
  'dynamodb:DescribeTable': fails('ResourceNotFoundException'),
  'apigateway:GET /v2/domainnames/api.example.com': fails('NotFoundException'),
};

const stack = (status: string, outputs: Record<string, string> = {}, isProtected = true): FakeOperations => ({
  'cloudformation:DescribeStacks': () => ({
    Stacks: [
      {
        StackName: 'messaging-prod',
        CreationTime: '2026-11-25T00:00:00Z',
        StackStatus: status,
        EnableTerminationProtection: isProtected,
        Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  }),
});

/** The template of the last deployment, with its settings and what its one function has reserved. */
const template = (settings: object, ReservedConcurrentExecutions = 0): FakeOperations => ({
  'cloudformation:GetTemplate': () => ({
    TemplateBody: JSON.stringify({
      Metadata: { Settings: settings },
      Resources: { ReceiveEvents: { Properties: { ReservedConcurrentExecutions } } },
    }),
  }),
});

const tableOf = (changes: object): FakeOperations => ({
  'dynamodb:DescribeTable': () => ({
    Table: {
      TableStatus: 'ACTIVE',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [{ IndexName: 'gsi1' }, { IndexName: 'gsi2' }],
      ...changes,
    },
  }),
});

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0198a000-0000-7000-8000-000000000001';
const domain = ['--domain-name', 'api.example.com', '--certificate-arn', certificateArn];
const aws = forAllTests(() => startFakeAws());
beforeEach(() => {
  aws.set(ready);
  vi.stubEnv('HOME', '/nowhere');
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  // The tests of tables run with another engine, which this names.
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
  return () => vi.unstubAllEnvs();
});

async function run(...words: string[]) {
  const cdk: string[][] = [];
  const [out, problems]: [string[], string[]] = [[], []];
  const { typed, approval } = deploymentOptions(words);
  const code = await deploy(typed, approval, process.env, {
    print: (text) => void out.push(text),
    printError: (text) => void problems.push(...text.split('\n').slice(1)),
    async runCdk(each) {
      cdk.push([...each]);
      return 0;
    },
  });
  return { code, cdk, out: out.join('\n'), problems };
}

const prod = ['--stage', 'prod', '--alarm-email', 'operator@example.com'];

describe('deploy', () => {
  it.each([
    [['--stage', 'prod', '--alarm-email', 'operator@example.com']],
    [['--stage=prod', '--alarm-email=operator@example.com']],
    [['-c', 'stage=prod', '-c', 'alarmEmail=operator@example.com']],
  ])('runs cdk deploy with the same settings, however they are written: %j', async (words) => {
    const { code, cdk, problems } = await run(...words);
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(cdk).toEqual([['deploy', 'messaging-prod', '-c', 'stage=prod', '-c', 'alarmEmail=operator@example.com']]);
  });

  it('prints with --dry-run what the page about the first number shows', async () => {
    const page = readFileSync(join(root, 'docs/first-number.md'), 'utf8');
    const { code, cdk, out } = await run(...prod, '--dry-run');
    expect({ code, cdk }).toEqual({ code: 0, cdk: [] });
    expect(page).toContain(`\n$ ./messaging deploy ${prod.join(' ')} --dry-run\n${out}\n$ `);
  });

  it('ends with the outputs, the name for DNS, and the next commands', async () => {
    let isDeployed = false;
    const outputs = { BaseUrl: 'https://api.example.com', DomainTarget: 'd-1.execute-api.eu-west-1.amazonaws.com' };
    aws.set({
      'cloudformation:DescribeStacks': (input) =>
        (isDeployed ? stack('CREATE_COMPLETE', outputs) : ready)['cloudformation:DescribeStacks']?.(input) ?? {},
    });
    const out: string[] = [];
    const code = await deploy(deploymentOptions([...prod, ...domain]).typed, {}, process.env, {
      print: (text) => void out.push(text),
      printError: (text) => void out.push(text),
      async runCdk() {
        isDeployed = true;
        return 0;
      },
    });
    expect(code).toBe(0);
    expect(out.join('\n')).toContain('api.example.com  CNAME  d-1.execute-api.eu-west-1.amazonaws.com');
    expect(out.join('\n')).toContain('https://api.example.com/v2/messaging/events');
    expect(out.join('\n')).toContain('./messaging smoke --stage prod');
  });

  it('only checks with --dry-run, and does not ask with --yes', async () => {
    expect(await run(...prod, '--dry-run')).toMatchObject({ code: 0, cdk: [], problems: [] });
    const { cdk } = await run(...prod, '--yes');
    expect(cdk[0]).toEqual(expect.arrayContaining(['--require-approval', 'never']));
  });

  it('says where the reasons are when cdk deploy fails', async () => {
    const errors: string[] = [];
    const shell = { print: () => {}, printError: (text: string) => void errors.push(text), runCdk: async () => 3 };
    expect(await deploy(deploymentOptions(prod).typed, {}, process.env, shell)).toBe(1);
    expect(errors.join()).toMatch(/exit code 3.*describe-stack-events --stack-name messaging-prod/s);
  });

  it('lists everything that is wrong at once, in the command and in the account', async () => {
    aws.set({
      'ssm:GetParameter': fails('ParameterNotFound'),
      ...quota(10, 10),
      'secretsmanager:DescribeSecret': () => ({ Name: 'messaging/prod/upstream' }),
    });
    const { code, cdk, problems } = await run('--stage', 'prod', '-c', 'alarmMail=x', '--graph-version', '25');
    expect({ code, cdk }).toEqual({ code: 1, cdk: [] });
    expect(problems).toEqual([
      '- The setting graphVersion must be a version such as v25.0, not "25".',
      expect.stringContaining('- There is no setting alarmMail. There are stage, '),
      expect.stringContaining('Run once: npx cdk bootstrap aws://123456789012/eu-west-1'),
      expect.stringContaining('--reserved-concurrency off'),
      expect.stringContaining('The name of the secret messaging/prod/upstream is taken'),
    ]);
  });

  it.each([
    ['an unknown setting', ['-c', 'alarm-mail=x'], 'There is no setting alarm-mail.'],
    ['an unknown setting that could be a flag of the CDK', ['-c', 'alarm:email=x'], 'There is no setting alarm:email.'],
    ['the variant for sam local', ['-c', 'samLocal=true'], 'The setting samLocal is for npm run synth'],
    ['no stage', [], 'Which stage?'],
  ])('deploys nothing with %s, and the exit code is 2', async (_, words, problem) => {
    const { code, cdk, problems } = await run(...words, ...(words.length > 0 ? prod : []));
    expect({ code, cdk, problems }).toEqual({ code: 2, cdk: [], problems: [expect.stringContaining(problem)] });
  });

  it('asks for the stage also where stacks may not be read', async () => {
    aws.set({ 'cloudformation:DescribeStacks': fails('AccessDenied') });
    expect(await run()).toMatchObject({ code: 2, problems: [expect.stringContaining('Which stage?')] });
  });

  it('says how the address of the service changes', async () => {
    aws.set({ ...stack('UPDATE_COMPLETE'), ...template({ baseUrl: 'https://old.example.com' }) });
    const { out } = await run(...prod, '--base-url', 'https://new.example.com');
    expect(out).toContain('The setting baseUrl changes from https://old.example.com to https://new.example.com.');
  });

  it.each([
    ['no region', { AWS_REGION: undefined }, 'No AWS region is configured'],
    [
      'no credentials',
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_EC2_METADATA_DISABLED: 'true' },
      'No AWS credentials were found',
    ],
    [
      'a region that does not exist',
      { AWS_ENDPOINT_URL: undefined, AWS_REGION: 'eu-nowhere-1' },
      'AWS cannot be reached',
    ],
  ])('names %s beside what is wrong in the command', async (_, variables, problem) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const { code, problems } = await run(...prod, '--like', 'x');
    expect(code).toBe(1);
    expect(problems).toEqual([expect.stringContaining('The setting like must be'), expect.stringContaining(problem)]);
  });

  it.each<[what: string, operations: FakeOperations, problem: string, words?: string[]]>([
    [
      'credentials that AWS does not know',
      { 'sts:GetCallerIdentity': fails('InvalidClientTokenId') },
      'does not recognise',
    ],
    ['credentials that have expired', { 'sts:GetCallerIdentity': fails('ExpiredToken') }, 'sign in again'],
    ['an old bootstrap stack', { 'ssm:GetParameter': () => ({ Parameter: { Value: '5' } }) }, 'is of version 5, and 6'],
    ['a stack that is being changed', stack('UPDATE_IN_PROGRESS'), 'is being changed (UPDATE_IN_PROGRESS)'],
    ['a stuck stack', stack('UPDATE_ROLLBACK_FAILED'), 'continue-update-rollback --stack-name messaging-prod'],
    ...['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_FAILED'].map((status): [string, FakeOperations, string] => [
      `a protected stack in ${status}, which the CDK cannot delete`,
      stack(status),
      `is stuck (${status}). Look at its events, then run: ./messaging destroy --stage prod`,
    ]),
    [
      'a secret that is about to be deleted',
      { 'secretsmanager:DescribeSecret': () => ({ Name: 'messaging/prod/upstream', DeletedDate: 1_790_000_000 }) },
      'To use it with --existing-secret messaging/prod/upstream: aws secretsmanager restore-secret --secret-id messaging/prod/upstream',
    ],
    [
      "the stack's own secret about to be deleted",
      {
        ...stack('UPDATE_COMPLETE'),
        ...template({}),
        'secretsmanager:DescribeSecret': () => ({ Name: 'messaging/prod/upstream', DeletedDate: 1_790_000_000 }),
      },
      'To keep it: aws secretsmanager restore-secret --secret-id messaging/prod/upstream',
    ],
    ['an existing table that does not exist', {}, 'There is no table messages', ['--existing-table', 'messages']],
    [
      'an existing table of another kind',
      tableOf({ KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }),
      'is not a table of this service',
      ['--existing-table', 'messages'],
    ],
    [
      'an existing table that is being restored',
      tableOf({ TableStatus: 'CREATING' }),
      'is CREATING',
      ['--existing-table', 'messages'],
    ],
    [
      'an existing secret that does not exist',
      {},
      'There is no secret messaging/old',
      ['--existing-secret', 'messaging/old'],
    ],
    [
      'a domain that is taken',
      {
        'apigateway:GET /v2/domainnames/api.example.com': () => ({ DomainName: 'api.example.com' }),
      },
      'has the custom domain api.example.com already',
      domain,
    ],
    ['half of a custom domain', {}, 'domainName needs certificateArn', ['--domain-name', 'api.example.com']],
    [
      'a forgotten restored table',
      { ...stack('UPDATE_COMPLETE'), ...template({ existingTable: 'messaging-prod-restored' }) },
      'To keep it, give --existing-table messaging-prod-restored.',
    ],
    [
      'forgotten limits of another stage',
      { ...stack('UPDATE_COMPLETE', {}, false), ...template({ like: 'dev' }) },
      'To keep it, give --like dev. To change it, give --like prod.',
    ],
    [
      'a quota of which other functions have reserved too much',
      quota(1000, 550),
      'reserves 500 concurrent executions, and the account can reserve only 450 of 1000. Deploy with --reserved-concurrency off, or request more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1050',
    ],
    [
      'a stack that reserves nothing yet, beside others that have reserved too much',
      { ...stack('UPDATE_COMPLETE'), ...template({}), ...quota(1000, 550) },
      'can reserve only 450 of 1000',
    ],
    [
      'a stack that was rolled back, whose functions hold nothing any more',
      {
        ...stack('ROLLBACK_COMPLETE', {}, false),
        ...template({}, 500),
        ...quota(1000, 550),
      },
      'can reserve only 450 of 1000',
    ],
    [
      'an error of AWS',
      { 'ssm:GetParameter': fails('InternalServerError', 'try later') },
      'AWS is busy: try again in a moment. (try later)',
    ],
  ])('deploys nothing with %s', async (_, operations, problem, words = []) => {
    aws.set(operations);
    const { code, cdk, problems } = await run(...prod, ...words);
    expect({ code: code > 0, cdk, problems }).toEqual({
      code: true,
      cdk: [],
      problems: [expect.stringContaining(problem)],
    });
  });

  describe('of a stage with settings of its own', () => {
    const staging = ['--stage', 'staging'];
    const kept = [
      ['--like', 'prod', 'dev'],
      ['--architecture', 'x86_64', 'arm64'],
      ['--alarm-email', 'operator@example.com', 'none'],
      ['--graph-version', 'v26.0', 'v25.0'],
      ['--upstream-base-url', 'https://graph.example.com', 'https://graph.facebook.com'],
      ['--media-hosts', 'files.example.com', 'facebook.com,fbcdn.net,fbsbx.com,whatsapp.com,whatsapp.net'],
    ] as const;
    beforeEach(() =>
      aws.set({
        ...stack('UPDATE_COMPLETE'),
        ...template({
          ...{ like: 'prod', architecture: 'x86_64', alarmEmail: 'operator@example.com', graphVersion: 'v26.0' },
          ...{ upstreamBaseUrl: 'https://graph.example.com', mediaHosts: 'files.example.com' },
        }),
      }),
    );

    it('names every setting that is forgotten, with how to keep and how to change it', async () => {
      const { code, cdk, problems } = await run(...staging, '--dry-run');
      expect({ code, cdk }).toEqual({ code: 1, cdk: [] });
      expect(problems.map((problem) => problem.match(/--\S+ [^\s]+(?=\.( |$))/g))).toEqual(
        kept.map(([option, before, after]) => [`${option} ${before}`, `${option} ${after}`]),
      );
    });

    it.each([
      ['keeps', 1],
      ['changes', 2],
    ] as const)('%s what the settings say', async (_, value) => {
      const { problems, cdk } = await run(...staging, ...kept.flatMap((setting) => [setting[0], setting[value]]));
      expect({ problems, count: cdk.length }).toEqual({ problems: [], count: 1 });
    });

    it('asks for nothing after a first deployment that failed, of which nothing is left', async () => {
      aws.set(stack('ROLLBACK_COMPLETE', {}, false));
      expect(await run('--stage', 'prod')).toMatchObject({ code: 0, problems: [] });
      expect(await run(...staging)).toMatchObject({ code: 0, problems: [] });
    });
  });

  it('deploys again what is deployed, also if the quota is nearly used up by it', async () => {
    aws.set({
      ...stack('UPDATE_COMPLETE'),
      ...template({ like: 'prod', alarmEmail: 'operator@example.com' }, 500),
      'secretsmanager:DescribeSecret': () => ({ Name: 'messaging/prod/upstream' }),
      ...quota(600, 100),
    });
    expect(await run(...prod)).toMatchObject({ code: 0, problems: [] });
  });

  it('names the table that an earlier stack has left, and deploys', async () => {
    aws.set({ 'dynamodb:ListTables': () => ({ TableNames: ['messaging-prod-Table-OLD'] }) });
    const { code, out } = await run(...prod);
    expect(code).toBe(0);
    expect(out).toContain('There is a table of an earlier stack: messaging-prod-Table-OLD');
  });

  it('takes a restored table', async () => {
    aws.set(tableOf({}));
    expect(await run(...prod, '--existing-table', 'messages')).toMatchObject({ code: 0, problems: [] });
  });

  it('does not count a stack that it may not read as if there were none', async () => {
    aws.set({
      ...quota(600, 100),
      ...stack('UPDATE_COMPLETE'),
      'cloudformation:GetTemplate': fails('AccessDenied'),
    });
    const { code, out } = await run(...prod);
    expect(code).toBe(0);
    expect(out).toContain("Not checked: the quota of Lambda's concurrency.");
  });

  it('says what it could not check, and deploys: the roles of the CDK have rights of their own', async () => {
    aws.set(
      Object.fromEntries(
        Object.keys(ready)
          .filter((name) => name !== 'sts:GetCallerIdentity')
          .map((name) => [name, fails(name.startsWith('cloudformation') ? 'AccessDenied' : 'AccessDeniedException')]),
      ),
    );
    const { code, out } = await run(...prod, ...domain);
    expect(code).toBe(0);
    expect(out.match(/^Not checked: /gm)).toHaveLength(6);
    expect(out).toContain('whether the account is prepared for the CDK. These AWS credentials may not do this.');
  });
});
