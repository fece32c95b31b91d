import { sendTestNotification, type TestContext } from '#shared/delivery/test-notification.ts';
import { queue, timeoutMs } from '#shared/operations/compose.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { deliveries, random, schedule, secrets, sender, targets } from './compose.ts';
import { testWebhook as contract } from './contracts.ts';

type Dependencies = WrapperDependencies & TestContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, addHeader }) => {
    const { delivery, error, result } = await sendTestNotification(number, dependencies);
    if (error !== undefined) addHeader('x-delivery-error', error);
    return { ...ok(result), headers: { 'x-delivery-id': delivery } };
  });

export const start = serve(contract, makeHandler, {
  secrets,
  targets,
  deliveries,
  queue,
  schedule,
  random,
  sender,
  timeoutMs,
});
