import type * as z from 'zod/mini';
import type { JsonObject } from '#shared/base/json/json-object.ts';
import type { AfterUnknownOutcome } from '#shared/domain/idempotency/run-keyed.ts';

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
  /** A number's user, if calling is enabled for the number and in its workspace. */
  | 'number-caller';

/** What a function uses: its role allows exactly these actions, and its environment has exactly what they need. */
export interface Uses {
  /** DynamoDB actions on the table, e.g. `GetItem`. */
  table?: readonly TableAction[];
  /** Indexes of the table that the function queries. */
  indexes?: readonly IndexName[];
  /**
   * The only partition keys that the function reads; any if absent. IAM cannot limit a role to partition keys of an
   * index (decision 13).
   */
  reads?: readonly PartitionKey[];
  /** The only partition keys that the function writes; any if absent. */
  writes?: readonly PartitionKey[];
  /** S3 actions on the bucket's objects below `bucketPrefixes`. `ListBucket` applies to the whole bucket. */
  bucket?: readonly BucketAction[];
  /** The prefixes of the object keys that the function uses. */
  bucketPrefixes?: readonly `${string}/`[];
  /** Calls the upstream, so the function may read the credentials' secret. */
  upstream?: true;
  /** Verifies requests of the upstream but does not call it. The function may read the credentials' secret. */
  credentials?: true;
  /** Sends to the notification queue. */
  queue?: true;
  /** Sends HTTP requests to customers' URLs. */
  egress?: true;
  /** Checks customers' URLs without a DNS lookup. */
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
/** A partition key of the table or an index. With `#` at its end it is a prefix, otherwise the whole key. */
export type PartitionKey = `${string}#` | 'BREAKERS';
export type IndexName = 'gsi1' | 'gsi2';
export type BucketAction = 'AbortMultipartUpload' | 'DeleteObject' | 'GetObject' | 'ListBucket' | 'PutObject';

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
  | 'preview-exchanges'
  /** Attempts to guess a preview's digits. The pages are public. */
  | 'unlocks';

/** How long a function may run if its definition says nothing else. */
export const defaultTimeoutSeconds = 20;

/** A function's memory if its definition says nothing else. Lambda gives processor time in proportion to it. */
export const defaultMemoryMegabytes = 512;

/** A Lambda function of the stack, with its own role. */
export interface FunctionDefinition {
  /** Kebab-case; also the name of the function's folder below `functions/`. */
  name: string;
  summary: string;
  uses: Uses;
  /** {@link defaultTimeoutSeconds} if absent. */
  timeoutSeconds?: number;
  /** {@link defaultMemoryMegabytes} if absent. */
  memoryMegabytes?: number;
  /** If absent, the function shares the stage's limits and the account's concurrency with all others. */
  traffic?: Traffic;
}

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
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/v2/${string}`;
  description?: string;
  tag: string;
  caller: Caller;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniObject | z.ZodMiniUnion<readonly z.ZodMiniObject[]>;
  /** Which schema of a union the body is checked against. Its errors are then those of this one alone. */
  formOfBody?: (body: JsonObject) => z.ZodMiniObject;
  /** Numbers in the body keep their digits: the schema gets a `RawNumber` for those that a double would change. */
  exactNumbers?: true;
  /**
   * Responses by status, but only those of the operation itself: the other errors follow from the rest of the contract
   * (see `shared/http/contract/openapi.ts`).
   */
  responses: Readonly<Record<number, ResponseDefinition>>;
  /**
   * The operation takes an `Idempotency-Key`. This is what a further request with the key gets if nobody knows what
   * became of the first: `run-again` runs the operation, which finds what the first run made, or can make another
   * without harm. `never-again` is an error.
   */
  idempotency?: AfterUnknownOutcome;
  /** Error statuses that do not follow from the caller, the query or the body, each with the reason. */
  errors?: Readonly<Record<number, string>>;
  /** Headers that any response may have, a success or an error, once the operation has begun; see `addHeader`. */
  optionalHeaders?: Readonly<Record<string, string>>;
}

/** Keeps the contract's narrow type, from which the wrapper derives the handler's type. */
export function defineContract<const C extends Contract>(contract: C): C {
  return contract.idempotency === undefined ? contract : { ...contract, uses: withKeyedRequests(contract.uses) };
}

const writeActions: readonly TableAction[] = ['PutItem', 'UpdateItem', 'DeleteItem'];

export const isWrite = (action: TableAction): boolean => writeActions.includes(action);

/** Adds what the wrapper needs to store requests with an `Idempotency-Key`. */
function withKeyedRequests(uses: Uses): Uses {
  const { table = [] } = uses;
  const writes = uses.writes ?? (table.some(isWrite) ? undefined : []);
  return {
    ...uses,
    table: [...new Set([...table, 'PutItem', 'UpdateItem', 'DeleteItem'] as const)],
    ...(writes && { writes: [...writes, 'KEYED_REQUEST#'] }),
  };
}
