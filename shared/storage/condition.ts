import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/**
 * What a conditional write found when its condition did not hold: the item as it is (with
 * `ReturnValuesOnConditionCheckFailure: ALL_OLD`), or nothing when there is none.
 */
export type Unmet = { item: Record<string, unknown> | undefined };

/** Runs a conditional write; a condition that does not hold is an outcome, every other failure an error. */
export async function unlessUnmet<T>(write: Promise<T>, otherwise: (unmet: Unmet) => T | Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return otherwise({ item: error.Item && unmarshall(error.Item) });
  }
}
