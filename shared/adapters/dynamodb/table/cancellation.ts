import { isObject, listOf } from '#shared/base/json/json-object.ts';
import { isAwsError } from '../../aws-sdk/aws-error.ts';

/**
 * Returns the codes for which DynamoDB canceled a transaction, one for each of its writes (`None` for those that were
 * not the reason). Without a canceled transaction there are none.
 */
export function canceledFor(error: unknown): readonly string[] {
  if (!isAwsError(error, 'TransactionCanceledException')) return [];
  return listOf(error.CancellationReasons).map((reason) => (isObject(reason) ? String(reason.Code) : ''));
}
