import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { FlowRecord } from '../flows/flow.ts';
import type { PreviewRecord } from '../previews/preview.ts';
import { unlessCanceled } from './condition.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

export type PreviewStore = ReturnType<typeof previewStore>;

/** Previews by id; a Flow's generation, counted up in one write, invalidates all that came before. */
export function previewStore(table: Table) {
  return {
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
