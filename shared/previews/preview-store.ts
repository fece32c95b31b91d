import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { fromItem, getRecord, type Table } from '#shared/aws/table.ts';
import { unlessCanceled, unlessUnmet } from '#shared/aws/write.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { isLocked, maxWrongTries, maxWrongTriesOfAll, type PreviewRecord, triesAttribute } from './preview-access.ts';

export type Guessed = 'right' | 'wrong' | 'locked';

export type PreviewStore = ReturnType<typeof previewStore>;

/** Stores previews by id. One write increments a Flow's generation and so invalidates all of its earlier previews. */
export function previewStore(table: Table) {
  return {
    get: (id: string) => getRecord<PreviewRecord>(table, keys.preview(id)),

    /**
     * Compares a guess by its hash, and counts a wrong one, in one conditional write. So even of simultaneous guesses,
     * only as many are compared as there are tries. A right guess costs no try and never blocks another.
     *
     * @param address the IP address of the client, which has a number of tries for itself
     */
    async tryGuess(id: string, guessHash: string, address: string): Promise<Guessed> {
      const count = new UpdateCommand({
        TableName: table.name,
        Key: keys.preview(id),
        UpdateExpression: 'ADD wrong_tries :one, #mine :one',
        ConditionExpression:
          'attribute_exists(pk) AND secret_hash <> :guess AND (attribute_not_exists(#mine) OR #mine < :max) ' +
          'AND (attribute_not_exists(wrong_tries) OR wrong_tries < :maxOfAll)',
        ExpressionAttributeNames: { '#mine': triesAttribute(id, address) },
        ExpressionAttributeValues: {
          ':one': 1,
          ':guess': guessHash,
          ':max': maxWrongTries,
          ':maxOfAll': maxWrongTriesOfAll,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return unlessUnmet<Guessed>(
        table.client.send(count).then(() => 'wrong'),
        ({ item }) => {
          const preview = fromItem<PreviewRecord>(item);
          return preview && !isLocked(preview, address) ? 'right' : 'locked';
        },
      );
    },

    /**
     * Stores the preview if its Flow still exists and has the generation that `flow` shows. Resolves with `false` when
     * the Flow was deleted or another request invalidated its previews in the meantime. With `invalidatePrevious`, the
     * Flow gets the preview's generation.
     */
    async create(preview: PreviewRecord, flow: FlowRecord, invalidatePrevious: boolean): Promise<boolean> {
      const sameGeneration = {
        TableName: table.name,
        Key: keys.flow(flow.workspace, flow.id),
        ConditionExpression: 'attribute_exists(pk) AND preview_generation = :current',
      };
      const current = { ':current': flow.preview_generation };
      const item = {
        ...keys.preview(preview.id),
        ...preview,
        expires_at_seconds: Math.ceil(preview.valid_until / 1000),
      };
      const create = new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' } },
          invalidatePrevious
            ? {
                Update: {
                  ...sameGeneration,
                  UpdateExpression: 'SET preview_generation = :next',
                  ExpressionAttributeValues: { ...current, ':next': preview.generation },
                },
              }
            : { ConditionCheck: { ...sameGeneration, ExpressionAttributeValues: current } },
        ],
      });
      return unlessCanceled(table.client.send(create), ['ConditionalCheckFailed', 'TransactionConflict']);
    },
  };
}
