import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import type { Table } from '#shared/aws/table.ts';
import { defaultUpstream, loopbackCidrs } from '#shared/operations/stage.ts';
import { reservePort } from './aws/base/http/free-port.ts';
import type { Credentials } from './aws/base/signatures/signature-v4.ts';
import { StoppedError } from './aws/lambda/invocation.ts';
import { startApi } from './aws/stack/api.ts';
import { startFunctions } from './aws/stack/functions.ts';
import { createQueues } from './aws/stack/queues.ts';
import { keepSecret, putSecret, type SecretService } from './aws/stack/secrets.ts';
import { type OnCall, openStack, type Stack } from './aws/stack/stack.ts';
import { startDynamoDb } from './aws/stack/tables.ts';
import { startEventSources, startSchedules } from './aws/stack/triggers.ts';
import { readBuckets } from './aws/template/storage.ts';
import { localAttemptMs, openStackTable, startDatabase } from './database.ts';
import type { Watch } from './graph/core/records.ts';
import { publicRouteKeys } from './live/public-routes.ts';
import { proofs } from './live/reach.ts';
import { type Part, Parts } from './parts.ts';
import { credentialsAtStart, startPlatform } from './platform.ts';
import { seed } from './seed.ts';
import { type StartServices, startServices } from './services.ts';
import { describeWorld, type WorldAddresses, type WorldDescription } from './world-description.ts';

export interface WorldOptions {
  /** The synthesised template. */
  templateFile: string;
  /** Where everything is kept between runs. */
  dataDir: string;
  /** Deletes what an earlier run kept. */
  fresh: boolean;
  /** 0 picks a free one. */
  ports: { api: number; upstream: number };
  /** Host names of the gateway, the bucket, the console and the simulated upstream, in addition to those of loopback. */
  hosts?: readonly string[] | undefined;
  /** Replaces the simulated Graph. Without a version segment. */
  upstreamBaseUrl?: string | undefined;
  /** Our access token for another Graph. The simulated one takes the seeded token. */
  upstreamAccessToken?: string | undefined;
  /** The address of a DynamoDB engine that runs already. Without it, the world starts one. */
  dynamoDbUrl?: string | undefined;
  /** Replaces the local world's own services other than DynamoDB. */
  startServices?: StartServices | undefined;
  /** How far the functions' clocks are ahead. */
  clockOffsetSeconds: number;
  /** Seconds between sweeps of the deliveries. Replaces the template's period. */
  sweepSeconds?: number | undefined;
  /** How many servers share the messages of a queue. With one, what is sent together is received together. */
  queueServers?: number | undefined;
  /** Replaces values of variables that the template declares. */
  environment?: Readonly<Record<string, string>>;
  onLog: (functionName: string, line: string) => void;
  onError: (error: Error) => void;
  /** Hears what is about to start, and warnings. */
  onProgress?: (step: string) => void;
  /** Sees each call of an AWS service by a function, and each invocation of a function with the time that it took. */
  onAwsCall?: OnCall;
  /** Hears what happens on the simulated platform. */
  watch?: Watch;
}

export interface LiveWorldOptions extends Omit<WorldOptions, 'fresh' | 'upstreamAccessToken'> {
  /** Where the internet reaches the world. */
  publicUrl: string;
  /** The port to which the tunnel leads. It has only the routes that the internet may use; 0 picks a free one. */
  publicPort: number;
  /** A path that nobody can guess, where each gateway says which one it is. */
  proofPath: string;
}

export interface World<Description = WorldDescription> {
  description: Description;
  table: Table;
  /** Where everything is kept. */
  dataDir: string;
  /** With these credentials, the world's AWS services do anything. */
  administrator: Credentials;
  close(): Promise<void>;
}

/**
 * Starts the whole service on this machine: the synthesised template and the deployed bundles behind real HTTP, with a
 * DynamoDB engine, queues, a bucket and a simulated upstream. It listens on loopback only.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { dataDir, fresh } = options;
  if (fresh) rmSync(dataDir, { recursive: true, force: true });
  const { description, ...world } = await start(options, {
    fill: seed,
    storeCredentials: async (stack, secrets, name) =>
      putSecret(stack, secrets, name, credentialsAtStart(await secrets.read(name), options.upstreamAccessToken)),
    startPlatform: (apiUrl) => startPlatform(options, apiUrl),
  });
  return { ...world, description: describeWorld(description) };
}

/**
 * Starts the whole service on this machine in front of the real platform. It begins without any data, and keeps the
 * credentials that somebody stores.
 */
export function startLiveWorld(options: LiveWorldOptions): Promise<World<WorldAddresses>> {
  const { upstreamBaseUrl: url = defaultUpstream.baseUrl } = options;
  return start(options, {
    fill: async () => undefined,
    storeCredentials: (...secret) => keepSecret(...secret, noCredentials),
    startPlatform: async () => ({ url, close: () => undefined }),
    live: options,
  });
}

/** Whether the table has no workspaces yet. */
export async function isWithoutWorkspaces(table: Table): Promise<boolean> {
  return (await workspaceStore(table).list()).length === 0;
}

/** As the stack creates the secret, but without a verify token, which the person who connects the app chooses. */
const noCredentials = JSON.stringify({ access_token: '', app_secret: '', verify_token: '' });

/** In what a live and a simulated world differ. */
interface Kind {
  /** Puts the first items into a new table. */
  fill: (table: Table) => Promise<void>;
  storeCredentials: (stack: Stack, secrets: SecretService, name: string) => Promise<void>;
  startPlatform: (apiUrl: string) => Promise<Part & { url: string }>;
  live?: Pick<LiveWorldOptions, 'publicUrl' | 'publicPort' | 'proofPath'>;
}

async function start(options: Omit<WorldOptions, 'fresh'>, kind: Kind): Promise<World<WorldAddresses>> {
  mkdirSync(options.dataDir, { recursive: true });
  const parts = new Parts();
  const close = () => parts.close();
  // Events that still wait for a function when the world closes are dropped. This is not an error.
  const onError = (error: Error) => {
    if (![error, error.cause].some((each) => each instanceof StoppedError)) options.onError(error);
  };
  try {
    return { ...(await startParts(parts, { ...options, onError }, kind)), close };
  } catch (error) {
    await close().catch(onError);
    throw error;
  }
}

/** Starts one part after the other, in the order in which they need each other. */
async function startParts(
  parts: Parts,
  options: Omit<WorldOptions, 'fresh'>,
  kind: Kind,
): Promise<Omit<World<WorldAddresses>, 'close'>> {
  const { dataDir, hosts, queueServers, onError, onLog, onProgress = () => undefined } = options;
  const { live } = kind;
  const publicUrl = live?.publicUrl;
  // The gateway starts last. Until then its port stays reserved, because the other parts choose free ports, too.
  const { port, close: releasePort } = await parts.start(reservePort(options.ports.api));
  const apiUrl = `http://localhost:${port}`;
  const { templateFile, clockOffsetSeconds, onAwsCall: onCall } = options;
  const stack = openStack({ templateFile, dataDir, apiUrl, clockOffsetSeconds, onCall });
  const { region, administrator } = stack;

  onProgress('starting the queues, the database, the bucket and the secrets');
  const serve = options.startServices ?? startServices;
  const buckets = readBuckets(stack.template, stack.resolve).map(({ name }) => name);
  const { sqs, s3, secretsManager } = await serve(parts, { stack, buckets, dataDir, hosts, queueServers });
  const queueUrls = await createQueues(stack, sqs);
  const engine = await parts.start(startDatabase(join(dataDir, 'dynamodb'), options.dynamoDbUrl, onProgress));
  const dynamoDb = await parts.start(startDynamoDb(stack, engine));
  const table = await parts.start(openStackTable(stack, dynamoDb.url, kind.fill));
  const upstreamSecret = stack.output('UpstreamSecretName');
  await kind.storeCredentials(stack, secretsManager, upstreamSecret);

  const startsPlatform = (publicUrl ?? options.upstreamBaseUrl) === undefined;
  onProgress(
    startsPlatform
      ? 'starting the WhatsApp platform, the functions and the gateway'
      : 'starting the functions and the gateway',
  );
  const upstream = await parts.start(kind.startPlatform(apiUrl));
  const { invoke, ready } = await parts.start(
    startFunctions(stack, {
      environment: {
        AWS_ATTEMPT_TIMEOUT_MS: String(localAttemptMs),
        AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.url,
        AWS_ENDPOINT_URL_SQS: sqs.url,
        AWS_ENDPOINT_URL_S3: s3.url,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
      },
      variables: {
        UPSTREAM_BASE_URL: upstream.url,
        EGRESS_ALLOWED_CIDRS: loopbackCidrs,
        ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl, OWN_URLS: `${publicUrl},${apiUrl}` }),
        ...options.environment,
      },
      clockOffsetSeconds,
      onLog,
    }),
  );
  await parts.start(startSchedules(stack, { invoke, onError, periodSeconds: options.sweepSeconds }));
  await parts.start(startEventSources(stack, sqs, { invoke, ready, onError }));
  await releasePort();
  const proofOf = (text: string) => live && { path: live.proofPath, text };
  await parts.start(startApi(stack, { port, hosts, proof: proofOf(proofs.api), invoke, onError }));
  const publicApi =
    live &&
    (await parts.start(
      startApi(stack, {
        port: live.publicPort,
        // A tunnel may pass requests on under any name: the routes are all that it can reach.
        hosts: 'all',
        routeKeys: publicRouteKeys,
        proof: proofOf(proofs.public),
        invoke,
        onError,
      }),
    ));

  const description: WorldAddresses = {
    base_url: apiUrl,
    ...(live && publicApi && { public_url: live.publicUrl, tunnel_url: publicApi.url }),
    code_version: stack.output('CodeVersion'),
    upstream_url: upstream.url,
    aws: {
      region,
      dynamodb: dynamoDb.url,
      table_name: table.name,
      sqs: sqs.url,
      queue_urls: queueUrls,
      s3: s3.url,
      bucket_name: String(buckets[0]),
      secrets_manager: secretsManager.url,
      upstream_secret: upstreamSecret,
    },
  };
  return { table, administrator, dataDir, description };
}
