import { setTimeout as delay } from 'node:timers/promises';
import { type ChangeContext, changeWebhooks } from '../../shared/deliveries/change-webhooks.ts';
import { presentWebhooks } from '../../shared/deliveries/present.ts';
import { requiredEnv } from '../../shared/env.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { checkCustomerUrl } from '../../shared/outgoing/runtime.ts';
import { notificationQueue } from '../../shared/queue/notification-queue.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { openTable } from '../../shared/storage/table.ts';
import { targetStore } from '../../shared/storage/targets.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & ChangeContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, body }) =>
    ok(presentWebhooks(await changeWebhooks(number, body, dependencies))),
  );

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: accessReader(table),
    now: Date.now,
    targets: targetStore(table),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
    checkUrl: checkCustomerUrl,
    wait: delay,
  };
}
