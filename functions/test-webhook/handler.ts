import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { sendTestNotification, type TestContext } from '#shared/domain/deliveries/test-notification.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { outgoingSender } from '#shared/runtime/egress.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & TestContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, addHeader }) => {
    const { delivery, error, result } = await sendTestNotification(number, dependencies);
    if (error !== undefined) addHeader('x-delivery-error', error);
    return { ...ok(result), headers: { 'x-delivery-id': delivery } };
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: accessReader(table),
    now: Date.now,
    targets: targetStore(table),
    deliveries: deliveryStore(table),
    sender: outgoingSender(),
    timeoutMs: Number(requiredEnv('DELIVERY_TIMEOUT_MS')),
  };
}
