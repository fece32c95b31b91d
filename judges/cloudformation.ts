import { partialDeepStrictEqual } from 'node:assert';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { assemblyDirectory, root } from '#infra/paths.ts';
import { readEventSourceMappings } from '#local/aws/template/event-source-mappings.ts';
import { readFunctions } from '#local/aws/template/functions.ts';
import { readQueues } from '#local/aws/template/queues.ts';
import { createResolver } from '#local/aws/template/resolve.ts';
import { readTemplate } from '#local/aws/template/template.ts';
import { startMoto } from '#support/aws/moto.ts';
import type { Judge, Tools } from './judge.ts';

/**
 * The stack is deployed into moto's CloudFormation and removed again, with the commands of the guides. What came into
 * being, as AWS's API reports it, is what the local world makes of the same template.
 */
export const cloudFormation: Judge = {
  name: 'cloudformation',
  async judge(tools) {
    const moto = await startMoto(tools.command('moto_server'));
    try {
      return [
        {
          judge: 'moto, CloudFormation',
          version: tools.version('moto'),
          tried: 'cdk bootstrap, cdk deploy, npm run deploy, npm run destroy',
          faults: await deployAndDestroy(tools, moto.url),
        },
      ];
    } finally {
      await moto.close();
    }
  },
};

async function deployAndDestroy(tools: Tools, url: string): Promise<string[]> {
  const faults: string[] = [];
  const env = {
    ...process.env,
    // The CDK remembers accounts there.
    HOME: tools.temporary,
    ...{ AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'judge', AWS_SECRET_ACCESS_KEY: 'judge' },
    ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' },
    // moto finds a template by its URL only on this host.
    AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: url.replace('127.0.0.1', 'localhost'),
    CDK_APP: `"${process.execPath}" judges/supported-app.ts`,
    MOTO_TYPES: (await readState<string[]>(tools, process.env, 'types')).join(','),
  };
  const runs = async (words: string, more: NodeJS.ProcessEnv = {}) => {
    console.log(words);
    const [command = '', ...args] = words.split(' ');
    try {
      const options = { cwd: root, env: { ...env, ...more }, maxBuffer: 2 ** 28, timeout: 600_000 };
      return (await execute(command, args, options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${words} failed:\n${`${stdout}\n${stderr}`.slice(-3000)}`, { cause: error });
    }
  };
  const expects = (what: string, actual: unknown, expected: unknown) => {
    if (isDeepStrictEqual(actual, expected)) return;
    faults.push(`${what} is ${JSON.stringify(actual)}, and not ${JSON.stringify(expected)}`);
  };
  const connection = {
    endpoint: url,
    region: env.AWS_REGION,
    credentials: { accessKeyId: 'judge', secretAccessKey: 'judge' },
  };
  const cloudFormation = new CloudFormationClient(connection);
  const s3 = new S3Client(connection);

  await runs('npm run build');
  await runs('npx cdk bootstrap');

  // With a change set, as the CDK deploys by default; moto then computes no outputs.
  await runs('npx cdk deploy -c stage=dev --require-approval never');
  const dev = await read('messaging-dev', cloudFormation);
  const made = await readState<State>(tools, env);
  compare(readDeployed(dev), made, expects);
  // The bucket of a stack is emptied before.
  const Bucket = dev.resources.find(({ ResourceType }) => ResourceType === 'AWS::S3::Bucket')?.PhysicalResourceId;
  await s3.send(new PutObjectCommand({ Bucket, Key: 'flow-json/one', Body: 'one' }));
  await runs('npm run destroy -- --stage dev --yes');
  const left = await readState<State>(tools, env);
  for (const [kind, { length }] of Object.entries(left)) expects(`What is left of dev, ${kind},`, length, 0);

  // Without a change set, so that there are outputs. moto knows nothing of the quota of concurrency.
  const deploy = 'npm run deploy -- --stage prod --alarm-email operator@example.com --reserved-concurrency off --yes';
  const direct = { CDK_METHOD: 'direct' };
  const said = await runs(deploy, direct);
  const prod = await read('messaging-prod', cloudFormation);
  const table = prod.resources.find(({ ResourceType }) => ResourceType === 'AWS::DynamoDB::Table')?.PhysicalResourceId;
  expects('The output TableName', prod.Outputs?.find(({ OutputKey }) => OutputKey === 'TableName')?.OutputValue, table);
  expects('The protection of prod', prod.EnableTerminationProtection, true);
  if (!said.includes(String(table))) faults.push('npm run deploy does not print the outputs');
  compare(readDeployed(prod), await readState<State>(tools, env), expects);
  // Again, as after a change: the checks find the stack as it is.
  await runs(deploy, direct);
  // moto cannot switch off the protection of a stack.
  await runs('npm run destroy -- --stage prod --dry-run');
  return faults;
}

const execute = promisify(execFile);

/** What is in moto, or the types of resources that its CloudFormation creates. */
async function readState<T>({ command }: Tools, env: NodeJS.ProcessEnv, ...words: 'types'[]): Promise<T> {
  const script = join(import.meta.dirname, 'moto_state.py');
  const { stdout } = await execute(command('python'), ['-W', 'ignore', script, ...words], { env, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}

/** A stack, with the resources that it has. */
async function read(StackName: string, client: CloudFormationClient) {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
  return { ...stack, StackName, resources: pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries) };
}

/** The property that names a resource of a type. */
const naming: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SQS::Queue': 'QueueName',
};

/** The template that was deployed, with the names that moto has given. */
function readDeployed({ StackName, StackId, resources }: Awaited<ReturnType<typeof read>>) {
  const file = join(assemblyDirectory, `${StackName}.template.json`);
  // The local world reads only global tables, which moto does not know.
  writeFileSync(file, readFileSync(file, 'utf8').replace('"AWS::DynamoDB::Table"', '"AWS::DynamoDB::GlobalTable"'));
  const template = readTemplate(file);
  const references = new Map<string, string>();
  for (const { LogicalResourceId: id = '', ResourceType = '', PhysicalResourceId = '' } of resources) {
    const property = naming[ResourceType];
    const properties = template.resources.get(id)?.Properties;
    // Of a queue, it is the URL.
    const name = ResourceType === 'AWS::SQS::Queue' ? PhysicalResourceId.split('/').at(-1) : PhysicalResourceId;
    if (property && properties) properties[property] = name;
    references.set(id, PhysicalResourceId);
  }
  const resource = (id: string, attribute?: string) => (attribute === undefined ? references.get(id) : undefined);
  return { template, resolve: createResolver(template, { resource, stackId: String(StackId?.split('/').at(-1)) }) };
}

type Kind = 'tables' | 'queues' | 'buckets' | 'functions' | 'mappings' | 'roles' | 'groups' | 'rules';
type State = Readonly<Record<Kind, Record<string, unknown>[]>>;

/** Compares what moto has with what the local world reads in the template. */
function compare({ template, resolve }: ReturnType<typeof readDeployed>, state: State, expects: Expects): void {
  const ofType = (type: string) =>
    [...template.resources.values()]
      .filter(({ Type }) => Type === type)
      .map(({ Properties }) => resolve(Properties) as Record<string, unknown>);
  /** One has the name that is the first of these members, and the others. */
  const expectOne = (among: readonly object[], members: object) => {
    const [[key, name] = []] = Object.entries(members);
    const found = among.find((each) => Reflect.get(each, String(key)) === name);
    try {
      partialDeepStrictEqual(found, members);
    } catch {
      expects(`What is called ${name}`, found, members);
    }
  };
  const parsed = ({ RedrivePolicy = '{}', ...others }: Record<string, unknown>) => ({
    ...others,
    RedrivePolicy: JSON.parse(String(RedrivePolicy)),
  });

  for (const { TableName, KeySchema, GlobalSecondaryIndexes } of ofType('AWS::DynamoDB::GlobalTable')) {
    expectOne(state.tables, { TableName, KeySchema, GlobalSecondaryIndexes });
  }
  const queues = state.queues.map((queue) => parsed({ ...queue, name: String(queue.QueueArn).split(':').at(-1) }));
  for (const { name, attributes } of readQueues(template, resolve)) expectOne(queues, { name, ...parsed(attributes) });
  for (const { BucketName, BucketEncryption } of ofType('AWS::S3::Bucket')) {
    const [{ ServerSideEncryptionByDefault: ApplyServerSideEncryptionByDefault } = {}] =
      Object(BucketEncryption).ServerSideEncryptionConfiguration;
    expectOne(state.buckets, { Name: BucketName, Rules: [{ ApplyServerSideEncryptionByDefault }] });
  }
  for (const { name, handler, timeoutSeconds, memoryMegabytes, environment } of readFunctions(template, resolve)) {
    const limits = { Timeout: timeoutSeconds, MemorySize: memoryMegabytes };
    expectOne(state.functions, {
      FunctionName: name,
      Handler: handler,
      ...limits,
      Environment: { Variables: environment },
    });
  }
  for (const mapping of readEventSourceMappings(template, resolve)) {
    const { queueArn: EventSourceArn, batchSize: BatchSize, maximumConcurrency: MaximumConcurrency } = mapping;
    const FunctionResponseTypes = mapping.reportBatchItemFailures ? ['ReportBatchItemFailures'] : [];
    const members = { BatchSize, ScalingConfig: { MaximumConcurrency }, FunctionResponseTypes };
    expectOne(state.mappings, { EventSourceArn, ...members });
  }
  for (const { RoleName, Policies = [] } of ofType('AWS::IAM::Role')) {
    const documents = (Policies as Record<string, unknown>[]).map(({ PolicyDocument }) => PolicyDocument);
    // moto leaves out the end of a log group's ARN (docs/internals/aws-review.md).
    const Documents = JSON.parse(JSON.stringify(documents).replaceAll(/(:log-group:[^"]*):\*"/g, '$1"'));
    expectOne(state.roles, { Name: RoleName, Documents });
  }
  for (const { LogGroupName: logGroupName, RetentionInDays: retentionInDays } of ofType('AWS::Logs::LogGroup')) {
    expectOne(state.groups, { logGroupName, retentionInDays });
  }
  const rates = (rules: Record<string, unknown>[]) => rules.map(({ ScheduleExpression }) => ScheduleExpression);
  expects('The rules', rates(state.rules), rates(ofType('AWS::Events::Rule')));
}

type Expects = (what: string, actual: unknown, expected: unknown) => void;
