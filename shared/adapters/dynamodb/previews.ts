import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { isLocked, maxWrongTries, type PreviewRecord } from '#shared/domain/previews/preview.ts';
import { unlessCanceled, unlessUnmet } from './condition.ts';
import { fromItem, getRecord } from './item.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

export type PreviewStore = ReturnType<typeof previewStore>;

/** What a guess was. */
export type Guessed = 'right' | 'wrong' | 'locked';

/** Previews by id; a Flow's generation, counted up in one write, invalidates all that came before. */
export function previewStore(table: Table) {
  return {
    get: (id: string) => getRecord<PreviewRecord>(table, keys.preview(id)),

    /**
     * Compares a guess, by its hash, and counts it if it is wrong, in one conditional write: of many guesses at once, no
     * more are looked at than there are tries, and a right one costs none and is never in the way of another.
     */
    async tryGuess(id: string, guessHash: string): Promise<Guessed> {
      const count = new UpdateCommand({
        TableName: table.name,
        Key: keys.preview(id),
        UpdateExpression: 'ADD wrong_tries :one',
        ConditionExpression:
          'attribute_exists(pk) AND secret_hash <> :guess AND (attribute_not_exists(wrong_tries) OR wrong_tries < :max)',
        ExpressionAttributeValues: { ':one': 1, ':guess': guessHash, ':max': maxWrongTries },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return unlessUnmet<Guessed>(
        table.client.send(count).then(() => 'wrong'),
        ({ item }) => {
          const preview = fromItem<PreviewRecord>(item);
          return preview && !isLocked(preview) ? 'right' : 'locked';
        },
      );
    },

    /**
     * Keeps the preview, if its Flow is still there and in the generation that `flow` shows. `false` when the Flow went
     * or another request invalidated its previews meanwhile. With `invalidatePrevious` the Flow moves on to the
     * preview's generation.
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
