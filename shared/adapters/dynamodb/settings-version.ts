import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

type Update = Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/**
 * Extends an update of a subscriber's item so that it counts as a change of its settings. The attributes in `notes` get the
 * new version: DynamoDB evaluates the expressions of an update on the item before the update.
 */
export function withNewVersion(
  { UpdateExpression = '', ExpressionAttributeValues, ...update }: Update,
  notes: readonly string[] = [],
) {
  const set = ['settings_version', ...notes].map((name) => `${name} = if_not_exists(settings_version, :zero) + :one`);
  const others = UpdateExpression.startsWith('SET ') ? `, ${UpdateExpression.slice(4)}` : ` ${UpdateExpression}`;
  return {
    ...update,
    UpdateExpression: `SET ${set.join(', ')}${others}`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':zero': 0, ':one': 1 },
  };
}
