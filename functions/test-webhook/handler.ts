import { sendTestNotification, type TestContext } from '../../shared/deliveries/test-notification.ts';
import { requiredEnv } from '../../shared/env.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { outgoingSender } from '../../shared/outgoing/runtime.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { deliveryStore } from '../../shared/storage/deliveries.ts';
import { openTable } from '../../shared/storage/table.ts';
import { targetStore } from '../../shared/storage/targets.ts';
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
