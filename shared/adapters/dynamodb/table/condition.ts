import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isObject, listOf } from '#shared/base/json/json-object.ts';
import { isAwsError } from '../../aws-sdk/aws-error.ts';

/**
 * The item that made a condition fail (with `ReturnValuesOnConditionCheckFailure: ALL_OLD`), or `undefined` if there is
 * no item.
 */
interface Unmet {
  item: Record<string, unknown> | undefined;
}

/** Waits for a conditional write. A failed condition leads to `otherwise`; every other failure is an error. */
export async function unlessUnmet<T>(write: Promise<T>, otherwise: (unmet: Unmet) => T | Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isAwsError(error, 'ConditionalCheckFailedException')) throw error;
    const { Item } = error;
    return otherwise({ item: isObject(Item) ? unmarshall(Item as never) : undefined });
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
    if (canceledFor(error).some((code) => reasons.includes(code))) return false;
    throw error;
  }
}

/**
 * Returns the codes for which DynamoDB canceled a transaction, one for each of its writes (`None` for those that were
 * not the reason). Without a canceled transaction there are none.
 */
export function canceledFor(error: unknown): readonly string[] {
  if (!isAwsError(error, 'TransactionCanceledException')) return [];
  return listOf(error.CancellationReasons).map((reason) => (isObject(reason) ? String(reason.Code) : ''));
}
