import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '#shared/adapters/dynamodb/table.ts';
import { sealRequest } from '#shared/domain/flow-endpoint/phone-envelope.ts';
import type { Access, Authorize } from './aws/base/aws-access.ts';
import { holdFreePort } from './aws/base/free-port.ts';
import { startEngine } from './aws/dynamodb/engine.ts';
import { startDynamoDbFront } from './aws/dynamodb/front.ts';
import { startGateway } from './aws/gateway/gateway.ts';
import { type EventSource, startEventSource } from './aws/lambda/event-source.ts';
import type { Invoke } from './aws/lambda/invocation.ts';
import { startLambda } from './aws/lambda/lambda-service.ts';
import { startSchedule } from './aws/lambda/schedule.ts';
import { startS3 } from './aws/s3/server.ts';
import { startSecretsManager } from './aws/secrets-manager/server.ts';
import { startSqs } from './aws/sqs/server.ts';
import { readEventSourceMappings } from './aws/template/event-source-mappings.ts';
import { type FunctionDefinition, readFunctions } from './aws/template/functions.ts';
import { readHttpApi } from './aws/template/http-api.ts';
import { ACCOUNT_ID, DEFAULT_REGION } from './aws/template/physical-ids.ts';
import { readQueues } from './aws/template/queues.ts';
import { createResolver } from './aws/template/resolve.ts';
import { isAllowed, readRolePolicies } from './aws/template/role-policies.ts';
import { readSchedules } from './aws/template/schedules.ts';
import { readBuckets, readSecrets } from './aws/template/storage.ts';
import { partitionKeyNames, readTables, type TableDefinition } from './aws/template/tables.ts';
import { readTemplate } from './aws/template/template.ts';
import { startUpstream } from './graph/server.ts';
import { seed, seededCredentials, seededNumbers, seededTokens, seededWorkspaces } from './seed.ts';

export interface WorldOptions {
  /** The synthesised template. */
  templateFile: string;
  /** Where everything is kept between runs. */
  dataDir: string;
  /** Forgets what an earlier run kept. */
  fresh: boolean;
  /** 0 picks a free one. */
  ports: { api: number; upstream: number };
  /** Further names by which gateway, console and simulated upstream may be called, besides those of loopback. */
  hosts?: readonly string[] | undefined;
  /** Another Graph than the simulated one, without a version segment. */
  upstreamBaseUrl?: string | undefined;
  /** Our access token there; the simulated Graph takes the seeded one. */
  upstreamAccessToken?: string | undefined;
  /** A DynamoDB endpoint to use in place of the engine that comes with the project. */
  dynamoDbUrl?: string | undefined;
  /** How far the functions' clocks are ahead. */
  clockOffsetSeconds: number;
  /** Seconds between sweeps of the deliveries, in place of the template's. */
  sweepSeconds?: number | undefined;
  /** In place of what the template says, for variables that it declares. */
  environment?: Readonly<Record<string, string>>;
  onLog: (functionName: string, line: string) => void;
  onError: (error: Error) => void;
  /** Is told what is about to be started. */
  onProgress?: (step: string) => void;
  /** Sees each call of an AWS service by a function, and each invocation of a function with the time that it took. */
  onAwsCall?: (call: Access, milliseconds?: number) => void;
}

/** What `.local/world.json` says, for whoever wants to use the running world. */
export interface WorldDescription {
  base_url: string;
  upstream_url: string;
  app_secret: string;
  verify_token: string;
  workspaces: { id: string; waba_id: string | null; name: string }[];
  numbers: {
    id: string;
    workspace: string;
    phone_number_id: string;
    display_phone_number: string;
    calling_enabled: boolean;
    active: boolean;
  }[];
  tokens: Readonly<Record<'owner' | 'member' | 'stranger', string>>;
  /** The AWS services of this world, for the admin command line and for a look inside. */
  aws: {
    region: string;
    dynamodb: string;
    table_name: string;
    sqs: string;
    /** By the queues' logical ids. */
    queue_urls: Record<string, string>;
    s3: string;
    bucket_name: string;
    secrets_manager: string;
    /** Name of the secret with the upstream credentials. */
    upstream_secret: string;
  };
}

export interface World {
  description: WorldDescription;
  table: Table;
  close(): Promise<void>;
}

/** Administrators' calls, which no function's role limits, carry this access key. */
const adminAccessKeyId = 'local-admin';

/** How long running batches may take to end when the world stops. */
const stopGraceMs = 2_000;

/**
 * Starts the whole service on this machine: the synthesised template with the deployed bundles, between real HTTP in
 * front and, behind, a DynamoDB engine, queues, a bucket and a simulated upstream. Loopback only.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  if (options.fresh) rmSync(options.dataDir, { recursive: true, force: true });
  mkdirSync(options.dataDir, { recursive: true });
  const stack: (() => Promise<void> | void)[] = [];
  /** Stops everything that was started, the last first. */
  const close = async () => {
    for (const stop of stack.splice(0).reverse()) await stop();
  };
  try {
    return { ...(await assemble(options, (stop) => stack.push(stop))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(
  options: WorldOptions,
  onClose: (stop: () => Promise<void> | void) => void,
): Promise<Omit<World, 'close'>> {
  const { dataDir, onError, onProgress = () => undefined } = options;
  const region = DEFAULT_REGION;
  const template = readTemplate(options.templateFile);
  // Held until the gateway listens, which is last: others choose free ports, too.
  const held = options.ports.api === 0 ? await holdFreePort() : undefined;
  if (held) onClose(held.release);
  const port = held?.port ?? options.ports.api;
  const baseUrl = `http://localhost:${port}`;

  /** What `Ref` gives for what is running: a queue's URL, a secret's ARN. */
  const references = new Map<string, string>();
  const resolve = createResolver(template, {
    region,
    stackId: keptStackId(dataDir),
    resource: (logicalId, attribute) => {
      if (attribute === 'ApiEndpoint') return baseUrl;
      return attribute === undefined || attribute === 'QueueUrl' ? references.get(logicalId) : undefined;
    },
  });
  const checkRole = roleChecker(() => readRolePolicies(template, resolve));
  const authorize: Authorize = (access) => {
    checkRole(access);
    options.onAwsCall?.(access);
  };

  onProgress('starting the queues, the database, the bucket and the secrets');
  const sqs = await startSqs({ dataDir: join(dataDir, 'sqs'), region, authorize });
  onClose(sqs.close);
  const queues = readQueues(template, resolve);
  for (const { name, attributes } of queues) sqs.createQueue(name, attributes);
  const queueUrls = Object.fromEntries(queues.map(({ logicalId, name }) => [logicalId, sqs.queueUrl(name)]));
  for (const [logicalId, url] of Object.entries(queueUrls)) references.set(logicalId, url);

  const engineUrl = options.dynamoDbUrl ?? (await startOwnEngine(dataDir, onClose));
  const definitions = readTables(template, resolve);
  const tables = await createTables(definitions, engineUrl, region);
  const dynamoDb = await startDynamoDbFront({
    engineUrl,
    region,
    accountId: ACCOUNT_ID,
    partitionKeyNames: partitionKeyNames(definitions),
    authorize,
  });
  onClose(dynamoDb.close);
  const table = openTable(tables.name, { endpoint: engineUrl, region, credentials: adminCredentials });
  onClose(() => table.client.destroy());
  if (tables.created) await seed(table);

  const buckets = readBuckets(template, resolve).map(({ name }) => name);
  const s3 = await startS3({ dataDir: join(dataDir, 's3'), buckets, authorize });
  onClose(s3.close);

  const secretsManager = await startSecretsManager({ dataDir: join(dataDir, 'secrets'), region, authorize });
  onClose(secretsManager.close);
  const secrets = readSecrets(template, resolve);
  for (const { logicalId, name } of secrets) {
    const credentials = {
      ...seededCredentials,
      access_token: options.upstreamAccessToken ?? seededCredentials.access_token,
    };
    references.set(logicalId, secretsManager.put(name, JSON.stringify(credentials)));
  }

  onProgress('starting the WhatsApp platform, the functions and the gateway');
  const upstreamUrl = options.upstreamBaseUrl ?? (await startOwnUpstream(options, baseUrl, onClose));

  const lambda = await startLambda({
    functions: readFunctions(template, resolve).map(
      withEnvironment({
        UPSTREAM_BASE_URL: upstreamUrl,
        OUTGOING_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
        ...options.environment,
      }),
    ),
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    },
    region,
    clockOffsetSeconds: options.clockOffsetSeconds,
    onLog: options.onLog,
  });
  onClose(lambda.close);

  const invoke: Invoke = async (functionName, payload) => {
    const start = performance.now();
    const result = await lambda.invoke(functionName, payload);
    const call = { accessKeyId: adminAccessKeyId, action: 'lambda:InvokeFunction', resource: functionName };
    options.onAwsCall?.(call, performance.now() - start);
    return result;
  };
  for (const schedule of readSchedules(template, resolve)) {
    const { stop } = startSchedule({
      schedule,
      invoke,
      onError,
      periodSeconds: options.sweepSeconds ?? schedule.periodSeconds,
    });
    onClose(stop);
  }
  const sources = readEventSourceMappings(template, resolve).map((mapping): EventSource => {
    const source = sqs.queue(mapping.queueName);
    if (!source)
      throw new Error(`The event source mapping of ${mapping.functionName} names a queue that does not exist`);
    return startEventSource({ mapping, source, invoke, onError });
  });
  onClose(async () => void (await Promise.all(sources.map((source) => source.stop(stopGraceMs)))));

  await held?.release();
  const gateway = await startGateway({
    port,
    api: readHttpApi(template, resolve),
    hosts: options.hosts,
    invoke,
    onError,
    region,
  });
  onClose(gateway.close);

  return {
    table,
    description: {
      base_url: baseUrl,
      upstream_url: upstreamUrl,
      app_secret: seededCredentials.app_secret,
      verify_token: seededCredentials.verify_token,
      workspaces: seededWorkspaces.map(({ id, waba_id, name }) => ({ id, waba_id, name })),
      numbers: seededNumbers.map(({ created_at: _, ...number }) => number),
      tokens: seededTokens,
      aws: {
        region,
        dynamodb: engineUrl,
        table_name: tables.name,
        sqs: sqs.url,
        queue_urls: queueUrls,
        s3: s3.url,
        bucket_name: String(buckets[0]),
        secrets_manager: secretsManager.url,
        upstream_secret: String(secrets[0]?.name),
      },
    },
  };
}

/** Stays the same from run to run, as a deployed stack's does from deployment to deployment. */
function keptStackId(dataDir: string): string {
  const file = join(dataDir, 'stack-id');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const id = randomUUID();
    writeFileSync(file, id);
    return id;
  }
}

/** Holds every function to its role: its access key id is its logical id. The roles are read when all names are known. */
function roleChecker(readPolicies: () => ReturnType<typeof readRolePolicies>): Authorize {
  let policies: ReturnType<typeof readRolePolicies> | undefined;
  return ({ accessKeyId, ...access }) => {
    policies ??= readPolicies();
    const statements = policies.get(accessKeyId);
    if (statements && !isAllowed(statements, access)) {
      const { action, resource, context = {} } = access;
      const values = Object.values(context).flat();
      const about = values.length === 0 ? '' : ` for ${values.join(', ')}`;
      throw new Error(`The role of ${accessKeyId} does not allow ${action} on ${resource}${about}`);
    }
  };
}

/** The function with variables that its template declares set for this world, as `sam local --env-vars` does. */
const withEnvironment =
  (overrides: Readonly<Record<string, string>>) =>
  (definition: FunctionDefinition): FunctionDefinition => ({
    ...definition,
    environment: Object.fromEntries(
      Object.entries(definition.environment).map(([name, value]) => [name, overrides[name] ?? value]),
    ),
  });

async function startOwnEngine(dataDir: string, onClose: (stop: () => Promise<void>) => void): Promise<string> {
  const engine = await startEngine(join(dataDir, 'dynamodb.db'));
  onClose(engine.close);
  return engine.url;
}

async function startOwnUpstream(
  options: WorldOptions,
  baseUrl: string,
  onClose: (stop: () => Promise<void>) => void,
): Promise<string> {
  const upstream = await startUpstream({
    port: options.ports.upstream,
    hosts: options.hosts,
    dataDir: join(options.dataDir, 'upstream'),
    accessToken: seededCredentials.access_token,
    appSecret: seededCredentials.app_secret,
    sealRequest,
    callbackUrl: `${baseUrl}/v2/messaging/events`,
    accounts: seededWorkspaces.flatMap(({ id, waba_id, name }) =>
      waba_id === null ? [] : [{ waba_id, name, phone_numbers: phoneNumbers(id) }],
    ),
  });
  onClose(upstream.close);
  return upstream.url;
}

function phoneNumbers(workspace: string) {
  return seededNumbers
    .filter((number) => number.workspace === workspace)
    .map(({ phone_number_id: id, display_phone_number, calling_enabled }) => ({
      id,
      display_phone_number,
      calling_enabled,
    }));
}

/** Creates the template's table unless an earlier run did. */
async function createTables(definitions: TableDefinition[], endpoint: string, region: string) {
  const [definition, ...others] = definitions;
  const name = definition?.createTable.TableName;
  if (!definition || name === undefined || others.length > 0) throw new Error('The template must hold one table');
  const client = new DynamoDBClient({ endpoint, region, credentials: adminCredentials });
  try {
    await client.send(new CreateTableCommand(definition.createTable));
    return { name, created: true };
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    return { name, created: false };
  } finally {
    client.destroy();
  }
}

const adminCredentials = { accessKeyId: adminAccessKeyId, secretAccessKey: 'local' };
