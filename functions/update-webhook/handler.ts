import { type ChangeContext, changeWebhooks } from '#shared/domain/deliveries/change-webhooks.ts';
import { toWebhookSettings } from '#shared/http/deliveries/webhook-settings.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { checkUrl } from '#shared/runtime/providers/check-url.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { wait } from '#shared/runtime/providers/wait.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & ChangeContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, body }) =>
    ok(toWebhookSettings(await changeWebhooks(number, body, dependencies))),
  );

export const handler = serve(contract, makeHandler, { access, targets, queue, checkUrl, wait });
