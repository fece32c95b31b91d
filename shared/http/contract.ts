import type * as z from 'zod/mini';

/**
 * Who may call an operation. `public` needs no token, and the `upstream` has none: its handler checks the signature.
 * For the others the wrapper authenticates, loads the workspace or number of the path and demands this relation to it.
 */
export type Caller =
  | 'public'
  | 'upstream'
  | 'workspace-member'
  | 'workspace-owner'
  | 'number-user'
  /** A number's user, if calling is on for the number. */
  | 'number-caller';

/** What a function touches: its role gets exactly these actions, its environment exactly what they need. */
export interface Uses {
  /** DynamoDB actions on the table, e.g. `GetItem`. */
  table?: readonly TableAction[];
  /** Indexes of the table that it queries. */
  indexes?: readonly IndexName[];
  /**
   * The only partition keys that it reads; any when absent. A role cannot be limited to those of indexes (decision 13).
   */
  reads?: readonly PartitionKey[];
  /** The only partition keys under which it writes; any when absent. */
  writes?: readonly PartitionKey[];
  /** S3 actions on the bucket's objects below `bucketPrefixes`. `ListBucket` is of the whole bucket. */
  bucket?: readonly BucketAction[];
  /** What the keys of the objects that it touches begin with. */
  bucketPrefixes?: readonly `${string}/`[];
  /** Calls the upstream, so it reads the credentials' secret. */
  upstream?: true;
  /** Checks what the upstream sends, so it reads the credentials' secret but calls nobody. */
  credentials?: true;
  /** Sends to the notification queue. */
  queue?: true;
  /** Sends HTTP to customers' URLs. */
  outgoing?: true;
  /** Judges customers' URLs by their text. */
  customerUrls?: true;
  /** Waits between attempts as the retry schedule says. */
  retries?: true;
  /** Reads the private keys of workspaces' Flows, or besides creates those of a workspace that has none. */
  flowKeys?: 'read' | 'create';
  /** Serves the preview page, whose built files lie beside it. */
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
/** A partition key of the table or an index: all that begin so, or without `#` at its end this one. */
export type PartitionKey = `${string}#` | 'BREAKERS';
export type IndexName = 'gsi1' | 'gsi2';
export type BucketAction = 'AbortMultipartUpload' | 'DeleteObject' | 'GetObject' | 'ListBucket' | 'PutObject';

/**
 * Traffic with limits of its own, so that it neither starves the rest of the API nor is starved by it; how much of it a
 * stage takes is in `infra/config.ts`.
 */
export type Traffic =
  /** Events of the upstream, which nobody else's requests may keep out. */
  | 'events'
  /** Deliveries of notifications. */
  | 'deliveries'
  /** Phones' requests to customers' endpoints, which may hang. */
  | 'exchanges'
  /** The same from preview pages, which are public. */
  | 'preview-exchanges'
  /** Attempts at the digits of previews, which are public. */
  | 'unlocks';

/** A function of the stack: a Lambda with its own role and log group. */
export interface FunctionDefinition {
  /** Kebab-case; the name of its folder below `functions/`. */
  name: string;
  summary: string;
  uses: Uses;
  /** Seconds; 20 when absent. */
  timeoutSeconds?: number;
  /** When absent, it shares the limits of the stage and the concurrency of the account with all others. */
  traffic?: Traffic;
}

export interface Answer {
  description: string;
  /** Absent when the answer has no body. */
  body?: z.ZodMiniType;
  /** The body is a string or bytes that are answered as they are, as this; JSON without. */
  mediaType?: string;
  /** Those that every such answer carries. */
  headers?: Readonly<Record<string, string>>;
}

/** One operation: a route, and the Lambda function behind it. */
export interface Contract extends FunctionDefinition {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/v2/${string}`;
  description?: string;
  tag: string;
  caller: Caller;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniObject;
  /** Numbers in the body keep their digits: those that a double would change reach the schema as a `RawNumber`. */
  exactNumbers?: true;
  /**
   * By status; only what the operation itself answers: other errors follow from the rest (see
   * `shared/http/openapi.ts`).
   */
  answers: Readonly<Record<number, Answer>>;
  /** Error statuses that do not follow from the caller, the query or the body, with the reason. */
  errors?: Readonly<Record<number, string>>;
  /** Headers that an answer can carry, a success or an error, once the request was taken; see `addHeader`. */
  optionalHeaders?: Readonly<Record<string, string>>;
}

/** Keeps the contract's own, narrow type, which the wrapper derives the handler's from. */
export function defineContract<const C extends Contract>(contract: C): C {
  return contract;
}
