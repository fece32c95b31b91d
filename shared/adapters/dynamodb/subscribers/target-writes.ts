import type { Target } from '#shared/domain/subscribers/target.ts';
import { pathAlias } from '../table/assign.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Condition, Update } from '../table/transition.ts';

/** The condition that the target has this URL. */
export const hasUrl = (url: string): Condition => ({
  ConditionExpression: '#url = :url',
  ExpressionAttributeNames: { '#url': 'url' },
  ExpressionAttributeValues: { ':url': url },
});

/**
 * Extends an update of a target so that it counts as a change that affects deliveries. The attributes in `notes` get
 * the new version: DynamoDB evaluates the expressions of an update on the item before the update.
 */
export function withNewVersion(
  { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues }: Update,
  notes: readonly string[] = [],
) {
  const versions = ['version', ...notes];
  const set = versions.map((name) => `${pathAlias(name)} = #version + :one`).join(', ');
  const others = UpdateExpression.startsWith('SET ') ? `, ${UpdateExpression.slice(4)}` : ` ${UpdateExpression}`;
  return {
    UpdateExpression: `SET ${set}${UpdateExpression === '' ? '' : others}`,
    ExpressionAttributeNames: {
      ...ExpressionAttributeNames,
      ...Object.fromEntries(versions.map((name) => [pathAlias(name), name])),
    },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':one': 1 },
  };
}

/** The command that makes such an update of a target that exists. */
export const newVersionOf = (
  { name: TableName }: Table,
  subscriber: string,
  target: Target,
  update: ReturnType<typeof withNewVersion>,
) => ({ TableName, Key: keys.target(subscriber, target), ConditionExpression: 'attribute_exists(pk)', ...update });
