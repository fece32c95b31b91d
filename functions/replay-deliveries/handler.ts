import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { type ReplayContext, replayRange } from '#shared/domain/deliveries/replay.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { encodeCursor, requestCursor } from '#shared/http/cursor.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & ReplayContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, body }) => {
    const from = requestCursor(body.cursor, number.id);
    const { replayed, more, reached } = await replayRange(number.id, body, from?.item, dependencies);
    const next = reached === undefined ? null : encodeCursor({ list: number.id, item: reached, towards: 'newer' });
    return ok({ replayed, more, next_cursor: next });
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: accessReader(table),
    now: Date.now,
    deliveries: deliveryStore(table),
    targets: targetStore(table),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
  };
}
