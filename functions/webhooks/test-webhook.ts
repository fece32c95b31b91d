import { access } from '#shared/compose/accounts.ts';
import { schedule } from '#shared/compose/attempts.ts';
import { sender, timeoutMs } from '#shared/compose/egress.ts';
import { random } from '#shared/compose/environment.ts';
import { queue } from '#shared/compose/queue.ts';
import { deliveries, secrets, targets } from '#shared/compose/stores.ts';
import { sendTestNotification, type TestContext } from '#shared/delivery/test-notification.ts';
import { createHandler, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { testWebhook as contract } from './contracts.ts';

type Dependencies = WrapperDependencies & TestContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, addHeader }) => {
    const { delivery, error, result } = await sendTestNotification(number, dependencies);
    if (error !== undefined) addHeader('x-delivery-error', error);
    return { ...ok(result), headers: { 'x-delivery-id': delivery } };
  });

export const handler = serve(contract, makeHandler, {
  access,
  secrets,
  targets,
  deliveries,
  queue,
  schedule,
  random,
  sender,
  timeoutMs,
});
