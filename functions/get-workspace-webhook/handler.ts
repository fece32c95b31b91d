import { workspaceSubscriber } from '#shared/domain/accounts/subscriber.ts';
import { existingSettings } from '#shared/domain/deliveries/existing-settings.ts';
import type { TargetStore } from '#shared/domain/deliveries/target-store.ts';
import { toWorkspaceWebhook } from '#shared/http/deliveries/workspace-webhook.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  targets: Pick<TargetStore, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace }) => {
    const { subscriber } = await existingSettings(workspaceSubscriber(workspace), dependencies.targets);
    return ok(toWorkspaceWebhook(subscriber));
  });

export const handler = serve(contract, makeHandler, { access, targets });
