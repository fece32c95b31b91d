import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

type Update = Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/**
 * The same update of a number's item, which also counts as a change of its settings. The attributes in `notes` get the
 * version that it makes. DynamoDB takes what an update reads from the item as it was before.
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
