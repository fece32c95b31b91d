import { type After, afterTimeout } from '#shared/base/after.ts';
import { AwsError } from '../aws/aws-error.ts';
import { BatchExecuteStatementCommand } from './commands.ts';
import type { Statement } from './statement.ts';
import type { Table } from './table.ts';
import { isThrottled } from './throttled.ts';

/** The most statements that DynamoDB takes in one `BatchExecuteStatement`. */
export const mostStatements = 25;

/** The longest that a write waits for others to share a call with, in milliseconds, unless it can wait for longer. */
const longestWaitMs = 20;

/** What comes of a statement that was executed. */
export interface Executed {
  /** The item, if the statement returns it. */
  item: Record<string, unknown> | undefined;
}

/** Conditional writes that may travel in one call with others. */
export interface SharedWrites {
  /**
   * Resolves when the statement was executed. With `undefined` the caller makes the write by itself, because there was
   * none to share a call with, its condition failed, or DynamoDB rejected it. Only the caller's own write says why.
   * Rejects if the call was throttled or had no response: the caller's own would fare no better. Only a write that may
   * find company has its statement built. It waits for at most `waitMs`.
   */
  execute(build: () => Statement, waitMs?: number): Promise<Executed | undefined>;
  /** One of the parties makes no more writes. */
  leave(): void;
}

/** Shares nothing: every caller makes its own writes. */
export const separateWrites: SharedWrites = { execute: async () => undefined, leave() {} };

interface Batch {
  statements: Statement[];
  /** The time that the least patient of them gave. A shorter one needs a timer of its own. */
  shortestWaitMs: number;
  cancelTimers: (() => void)[];
  /** What came of those that were executed, each at its place. */
  executed: PromiseWithResolvers<readonly (Executed | undefined)[]>;
}

const newBatch = (): Batch => ({
  statements: [],
  shortestWaitMs: Number.POSITIVE_INFINITY,
  cancelTimers: [],
  executed: Promise.withResolvers(),
});

/**
 * Collects the writes of `parties` that work side by side, and executes them in one call as soon as all parties wait,
 * or one of them has waited long enough. Each statement succeeds or fails by itself and costs as much as alone.
 */
export function sharedWrites(
  { client }: Pick<Table, 'client'>,
  parties: number,
  after: After = afterTimeout,
): SharedWrites {
  if (parties < 2) return separateWrites;
  let present = parties;
  let batch = newBatch();

  function executeAll(): void {
    const { statements, executed, cancelTimers } = batch;
    for (const cancel of cancelTimers) cancel();
    batch = newBatch();
    executed.resolve(executeTogether(statements));
  }

  async function executeTogether(statements: readonly Statement[]): Promise<readonly (Executed | undefined)[]> {
    if (statements.length < 2) return [];
    const Statements = statements.map(({ text, parameters }) => ({ Statement: text, Parameters: [...parameters] }));
    try {
      const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
      return Responses.map(({ Error: error, Item }) => (error ? undefined : { item: Item }));
    } catch (error) {
      if (isThrottled(error) || !isRejection(error)) throw error;
      return [];
    }
  }

  return {
    async execute(build, waitMs = longestWaitMs) {
      const statement = build();
      const { statements, executed, cancelTimers } = batch;
      // DynamoDB rejects a call that names an item twice.
      if (statements.some(({ key }) => key === statement.key)) return undefined;
      const place = statements.push(statement) - 1;
      if (statements.length >= Math.min(present, mostStatements)) executeAll();
      else if (waitMs < batch.shortestWaitMs) {
        batch.shortestWaitMs = waitMs;
        cancelTimers.push(after(waitMs, executeAll));
      }
      return (await executed.promise)[place];
    },

    leave() {
      present--;
      if (batch.statements.length > 0 && batch.statements.length >= present) executeAll();
    },
  };
}

/** Whether DynamoDB, or the client, did not accept the call as it was. One faulty statement must not fail the others. */
function isRejection(error: unknown): boolean {
  // For values that the table cannot hold.
  const isByClient = error instanceof TypeError || error instanceof RangeError;
  return isByClient || (error instanceof AwsError && error.status < 500);
}
