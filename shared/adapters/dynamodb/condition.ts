import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/**
 * What a conditional write found when its condition did not hold: the item as it is (with
 * `ReturnValuesOnConditionCheckFailure: ALL_OLD`), or nothing when there is none.
 */
export interface Unmet {
  item: Record<string, unknown> | undefined;
}

/** Runs a conditional write; a condition that does not hold is an outcome, every other failure an error. */
export async function unlessUnmet<T>(write: Promise<T>, otherwise: (unmet: Unmet) => T | Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return otherwise({ item: error.Item && unmarshall(error.Item) });
  }
}

/** Whether a conditional write was made. */
export const succeeds = (write: Promise<unknown>): Promise<boolean> =>
  unlessUnmet(
    write.then(() => true),
    () => false,
  );

/**
 * The same for a transaction: `false` when it was canceled for one of `reasons`, by default that a condition did not
 * hold (DynamoDB, TransactWriteItems, cancellation reasons).
 */
export async function unlessCanceled(
  write: Promise<unknown>,
  reasons: readonly string[] = ['ConditionalCheckFailed'],
): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    const given = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    if (given.some(({ Code }) => Code !== undefined && reasons.includes(Code))) return false;
    throw error;
  }
}
