import { type DeletionContext, deleteTarget } from '#shared/delivery/change-target.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandler, noContent, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { targets } from './compose.ts';
import { deleteWebhookTarget as contract } from './contracts.ts';

type Dependencies = WrapperDependencies & DeletionContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, target }) => {
    await deleteTarget(number, target, dependencies);
    return noContent();
  });

export const start = serve(contract, makeHandler, { targets, queue });
