import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { FlowRecord } from '../flows/flow.ts';
import { maxWrongTries, type PreviewRecord } from '../previews/preview.ts';
import { unlessCanceled, unlessUnmet } from './condition.ts';
import { fromItem, getRecord } from './item.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

export type PreviewStore = ReturnType<typeof previewStore>;

/** So that its item stays small, whoever shares the secret. */
const maxSessions = 1_000;

/** Previews by id; a Flow's generation, counted up in one write, invalidates all that came before. */
export function previewStore(table: Table) {
  const target = (id: string) => ({ TableName: table.name, Key: keys.preview(id) });

  return {
    get: (id: string) => getRecord<PreviewRecord>(table, keys.preview(id)),

    /**
     * Counts a try as wrong and gives the preview, or `undefined` when it is locked or gone. To be called before the
     * guess is looked at: of many guesses at once, no more get through than there are tries.
     */
    async countTry(id: string): Promise<PreviewRecord | undefined> {
      const count = new UpdateCommand({
        ...target(id),
        UpdateExpression: 'ADD wrong_tries :one',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(wrong_tries) OR wrong_tries < :max)',
        ExpressionAttributeValues: { ':one': 1, ':max': maxWrongTries },
        ReturnValues: 'ALL_NEW',
      });
      const counted = table.client.send(count).then(({ Attributes }) => fromItem<PreviewRecord>(Attributes));
      return unlessUnmet(counted, () => undefined);
    },

    /** Takes the count back, as the try was right, and keeps the session; `false` when there are too many of them. */
    async addSession(id: string, hash: string): Promise<boolean> {
      const add = new UpdateCommand({
        ...target(id),
        UpdateExpression: 'ADD wrong_tries :minus, sessions :session',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(sessions) OR size(sessions) < :max)',
        ExpressionAttributeValues: { ':minus': -1, ':session': new Set([hash]), ':max': maxSessions },
      });
      return unlessUnmet(
        table.client.send(add).then(() => true),
        () => false,
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
