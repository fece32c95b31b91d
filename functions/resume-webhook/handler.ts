import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { type Target, targets } from '#shared/domain/accounts/number.ts';
import { startDrain } from '#shared/domain/deliveries/drain.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & Parameters<typeof startDrain>[2];

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, body }) => {
    const resumed: Target[] = [];
    for (const target of body.target ? [body.target] : targets) {
      if (await startDrain(number.id, target, dependencies)) resumed.push(target);
    }
    return ok({ resumed });
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: accessReader(table),
    now: Date.now,
    targets: targetStore(table),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
  };
}
