import { startDrain } from '../../shared/deliveries/drain.ts';
import { requiredEnv } from '../../shared/env.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { type Target, targets } from '../../shared/numbers/number.ts';
import { notificationQueue } from '../../shared/queue/notification-queue.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { openTable } from '../../shared/storage/table.ts';
import { targetStore } from '../../shared/storage/targets.ts';
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
