import { sendTestNotification, type TestContext } from '#shared/domain/webhooks/test-notification.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { schedule } from '#shared/runtime/providers/attempts.ts';
import { sender, timeoutMs } from '#shared/runtime/providers/egress.ts';
import { random } from '#shared/runtime/providers/environment.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { deliveries, secrets, targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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
