import { setTimeout as delay } from 'node:timers/promises';
import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { type ChangeContext, changeWebhooks } from '#shared/domain/deliveries/change-webhooks.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { presentWebhooks } from '#shared/http/deliveries/present.ts';
import { checkCustomerUrl } from '#shared/runtime/egress.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
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
