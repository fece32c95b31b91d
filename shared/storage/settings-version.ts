import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

type Update = Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/** The same update of a number's item, which also counts as a change of its settings. */
export function withNewVersion({ UpdateExpression = '', ExpressionAttributeValues, ...update }: Update) {
  return {
    ...update,
    UpdateExpression: `${UpdateExpression} ADD settings_version :one`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':one': 1 },
  };
}
