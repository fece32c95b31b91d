import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/**
 * The item that made a condition fail (with `ReturnValuesOnConditionCheckFailure: ALL_OLD`), or `undefined` if there is
 * no item.
 */
export interface Unmet {
  item: Record<string, unknown> | undefined;
}

/** Waits for a conditional write. A failed condition leads to `otherwise`; every other failure is an error. */
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
 * Waits for a transaction. Resolves with `false` when DynamoDB canceled it for one of `reasons`, by default a failed
 * condition (DynamoDB, TransactWriteItems, cancellation reasons).
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
