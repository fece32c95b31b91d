import type * as z from 'zod/mini';
import type { IndexName, IndexPartition, TablePartition } from '#shared/aws/keys.ts';
import type { JsonObject } from '#shared/base/json.ts';
import type { ErrorCode } from '#shared/base/service-error.ts';
import type { AfterUnknownOutcome } from '#shared/idempotency/run-keyed.ts';

/**
 * Who may call an operation. `public` operations need no token. The `upstream` has no token, so its handlers check the
 * signature. For all others, the wrapper authenticates the caller, loads the workspace or number that the path names,
 * and requires this relation to it.
 */
export type Caller =
  | 'public'
  | 'upstream'
  /** Everyone with a valid token. */
  | 'user'
  | 'workspace-member'
  | 'workspace-owner'
  | 'number-user'
  /** A number's user who is an owner of its workspace. */
  | 'number-owner'
  /** A number's user, if calling is enabled for the number and in its workspace. */
  | 'number-caller';

/** What a function uses: its role allows exactly this, and its environment has exactly what that needs. */
export interface Uses {
  /**
   * The items that the function reads and writes: for each DynamoDB action, their partitions. What authorizing the
   * caller and storing requests with an `Idempotency-Key` needs is added by `defineContract`.
   */
  table?: TableUse;
  /** The partitions of the indexes that the function queries. */
  indexes?: IndexUse;
  /** The objects of the bucket that the function reads and writes: for each S3 action, the prefixes of their keys. */
  bucket?: BucketUse;
  /**
   * Calls the upstream, so the function may read the credentials of the deployment and of workspaces. `call`: the response depends on the
   * upstream's, so the operation has the errors of such calls. `reconcile`: an operation that reads finishes a change
   * that was cut off, and succeeds even if the upstream fails.
   */
  upstream?: 'call' | 'reconcile';
  /**
   * Verifies requests of the upstream but does not call it. The function may read the credentials of the deployment,
   * or also those of workspaces.
   */
  credentials?: 'of-deployment' | 'of-workspaces';
  /** Reads files from the platform's media hosts, for which it needs no credentials. */
  mediaHosts?: true;
  /** Sends to the notification queue. */
  queue?: true;
  /** Sends HTTP requests to customers' URLs. */
  egress?: true;
  /** Checks customers' URLs without a DNS lookup, or needs to know which addresses are allowed and which are its own. */
  customerUrls?: true;
  /** Needs the retry schedule, which sets the time between attempts. */
  retries?: true;
  /** `read`: reads the private keys of workspaces' Flows. `create`: also creates the first ones of a workspace. */
  flowKeys?: 'read' | 'create';
  /** Serves the preview page, whose built files are deployed with the function. */
  previewAssets?: true;
}

export type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';
type Some<T> = readonly [T, ...T[]];
export type TableUse = { readonly [A in TableAction]?: Some<TablePartition> };
export type IndexUse = { readonly [I in IndexName]?: Some<IndexPartition<I>> };
export type BucketPrefix = 'flows/' | 'media/' | 'notifications/' | 'uploads/';
export interface BucketUse {
  readonly AbortMultipartUpload?: Some<BucketPrefix>;
  readonly DeleteObject?: Some<BucketPrefix>;
  readonly GetObject?: Some<BucketPrefix>;
  readonly PutObject?: Some<BucketPrefix>;
  /** Without it, S3 responds to a request for a missing object with 403 instead of 404. */
  readonly ListBucket?: Some<BucketPrefix>;
}

/**
 * Traffic with limits of its own, so that neither it nor the rest of the API can starve the other. `infra/config.ts`
 * sets the limits of each stage.
 */
export type Traffic =
  /** Events of the upstream. Other requests must not crowd them out. */
  | 'events'
  /** Deliveries of notifications. */
  | 'deliveries'
  /** Phones' requests to customers' endpoints, which may hang. */
  | 'exchanges'
  /** Preview pages' requests to customers' endpoints. The pages are public. */
  | 'preview-exchanges';

/** A function's memory if its definition says nothing else. Lambda gives processor time in proportion to it. */
export const defaultMemoryMegabytes = 512;

/** A Lambda function of the stack, with its own role. */
export interface FunctionDefinition {
  /** Kebab-case; also the name of the function's file below `functions/`. */
  name: string;
  summary: string;
  uses: Uses;
  /** `defaultTimeoutSeconds` if absent. */
  timeoutSeconds?: number;
  /** {@link defaultMemoryMegabytes} if absent. */
  memoryMegabytes?: number;
  /** If absent, the function shares the stage's limits and the account's concurrency with all others. */
  traffic?: Traffic;
  /** The routes of a function that serves a table of paths of its own, and not an operation. */
  routes?: readonly RouteKey[];
}

/** A method and a path of the API, as the gateway writes them. */
export type RouteKey = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /v2/${string}`;

export interface ResponseDefinition {
  description: string;
  /** Absent if the response has no body. */
  body?: z.ZodMiniType;
  /** The media type of a body that is a string or bytes. If absent, the body is JSON. */
  mediaType?: string;
  /** Headers of every such response. */
  headers?: Readonly<Record<string, string>>;
}

/** One operation: a route and the Lambda function behind it. */
export interface Contract extends FunctionDefinition {
  /**
   * The operation of numbers which this one is for workspaces. Both share a function and its file. If absent, the
   * operation has a function of its own.
   */
  servedBy?: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/v2/${string}`;
  description?: string;
  tag: string;
  caller: Caller;
  /** Strict where a principal is demanded. Without one, every parameter is an error there. */
  query?: z.ZodMiniObject;
  /** Strict (`z.strictObject`) unless it is passed on to the upstream (`z.looseObject`). */
  body?: z.ZodMiniObject | z.ZodMiniUnion<readonly z.ZodMiniObject[]>;
  /** The body is a file, or a form with one, in place of JSON. */
  takesFile?: true;
  /** Which schema of a union the body is checked against. Its errors are then those of this one alone. */
  formOfBody?: (body: JsonObject) => z.ZodMiniObject;
  /** Numbers in the body keep their digits: the schema gets a `RawNumber` for those that a double would change. */
  exactNumbers?: true;
  /**
   * Responses by status, but only those of the operation itself: the other errors follow from the rest of the contract
   * (see `public-errors.ts`).
   */
  responses: Readonly<Record<number, ResponseDefinition>>;
  /**
   * The operation takes an `Idempotency-Key`. This says what a further request with the key does if the outcome of the
   * first is unknown: `run-again` runs the operation again, which finds what the first run made, or can safely make
   * another. `never-again` responds with an error.
   */
  idempotency?: AfterUnknownOutcome;
  /** The codes of the errors that the operation itself throws; the others follow from the rest of the contract. */
  throws?: readonly ErrorCode[];
  /** Headers that any response may have, a success or an error, once the operation has begun; see `addHeader`. */
  optionalHeaders?: Readonly<Record<string, string>>;
}

/**
 * Keeps the contract's narrow type, from which the wrapper derives the handler's type. A subject's contracts share a file.
 * Their calls are marked as pure, and their schemas are inside a function, so esbuild leaves out of a bundle all contracts
 * but that of its function.
 */
export function defineContract<const C extends Contract>(describe: () => C): C {
  const contract = describe();
  const { caller, idempotency, uses } = contract;
  const table = union(uses.table, neededToAuthorize[caller], idempotency && keyedRequests);
  return table ? { ...contract, uses: { ...uses, table } } : contract;
}

const membershipReads: TableUse = { BatchGetItem: ['TOKEN#', 'WORKSPACE#'] };
const numberReads: TableUse = { BatchGetItem: ['SUBSCRIBER#', 'TOKEN#', 'WORKSPACE#'] };

/** What the wrapper needs to find out who calls and what this caller may do. */
const neededToAuthorize: Readonly<Record<Caller, TableUse | undefined>> = {
  public: undefined,
  upstream: undefined,
  user: { BatchGetItem: ['TOKEN#'] },
  'workspace-member': membershipReads,
  'workspace-owner': membershipReads,
  'number-user': numberReads,
  'number-owner': numberReads,
  'number-caller': numberReads,
};

/** What the wrapper needs to store requests with an `Idempotency-Key`. */
const keyedRequests: TableUse = {
  PutItem: ['KEYED_REQUEST#'],
  UpdateItem: ['KEYED_REQUEST#'],
  DeleteItem: ['KEYED_REQUEST#'],
};

/** Whether the operation demands a principal. */
export const needsToken = ({ caller }: Contract): boolean => caller !== 'public' && caller !== 'upstream';

/** The name of the function behind an operation. */
export const functionBehind = ({ name, servedBy = name }: Contract): string => servedBy;

/** The functions behind the operations. */
export const functionsBehind = (operations: readonly Contract[]): FunctionDefinition[] =>
  operations.filter((operation) => functionBehind(operation) === operation.name);

/** Merges the partitions of each action. Undefined if there are none. */
function union(...uses: (TableUse | undefined)[]): TableUse | undefined {
  const all: Record<string, readonly string[]> = {};
  for (const [action, partitions] of uses.flatMap((use) => Object.entries<readonly string[]>({ ...use }))) {
    all[action] = [...new Set([...(all[action] ?? []), ...partitions])].sort();
  }
  return Object.keys(all).length > 0 ? (all as TableUse) : undefined;
}

type WorkspacePath<Path> = Path extends `/v2/messaging/numbers/{number}${infer Rest}`
  ? `/v2/workspaces/{workspace}${Rest}`
  : never;

/** What an operation of a workspace's webhook shares with that of a number's. One function serves both. */
export const ofWorkspace = <const C extends Contract>({ caller: _, path, ...shared }: C) => ({
  ...shared,
  servedBy: shared.name,
  path: path.replace('messaging/numbers/{number}', 'workspaces/{workspace}') as WorkspacePath<C['path']>,
  tag: 'Workspace webhook',
  caller: 'workspace-owner' as const,
});

/** The environment variables through which a function reaches what it uses. The stack sets exactly these. */
export const variablesOf = {
  /** Every function with routes has these, because it belongs to the API. */
  api: ['BASE_URL', 'PUBLIC_URL', 'DEPLOYMENT_ID'],
  table: ['TABLE_NAME'],
  bucket: ['BUCKET_NAME'],
  queue: ['QUEUE_URL'],
  customerUrls: ['EGRESS_ALLOWED_CIDRS', 'OWN_URLS'],
  egress: ['EGRESS_ALLOWED_CIDRS', 'OWN_URLS', 'DEPLOYMENT_ID', 'DELIVERY_TIMEOUT_MS'],
  retries: ['DELIVERY_RETRY_SCHEDULE'],
  upstream: [
    'UPSTREAM_BASE_URL',
    'UPSTREAM_MEDIA_HOSTS',
    'UPSTREAM_GRAPH_VERSION',
    'UPSTREAM_TIMEOUT_MS',
    'UPSTREAM_SECRET_ID',
    'DEPLOYMENT_ID',
  ],
  mediaHosts: ['UPSTREAM_BASE_URL', 'UPSTREAM_MEDIA_HOSTS'],
  credentials: ['UPSTREAM_SECRET_ID'],
  flowKeys: ['UPSTREAM_SECRET_ID'],
} as const;

/** Something that a function reaches through its environment: the API that it belongs to, or one of its `uses`. */
export type ResourceName = keyof typeof variablesOf;

export type Variable = (typeof variablesOf)[ResourceName][number];

/** The variables of a function that uses `N`. What opens a dependency names those that it reads. */
export type Environment<N extends ResourceName> = Readonly<Record<(typeof variablesOf)[N][number], string>>;

/** Whether a function belongs to the API: it is an operation, or has routes of its own. */
const hasRoutes = (definition: FunctionDefinition) => 'path' in definition || definition.routes !== undefined;

/** Returns the variables that a function with this definition needs, without duplicates. */
export function variablesFor(definition: FunctionDefinition): Variable[] {
  const isUsed = (name: ResourceName) => (name === 'api' ? hasRoutes(definition) : definition.uses[name] !== undefined);
  const used = (Object.keys(variablesOf) as ResourceName[]).filter(isUsed);
  return [...new Set(used.flatMap((name): readonly Variable[] => variablesOf[name]))];
}
