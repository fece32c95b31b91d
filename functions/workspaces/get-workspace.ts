import { toWorkspaceObject } from '#shared/accounts/account-objects.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { getWorkspace as contract } from './contracts.ts';

export const makeHandler = (dependencies: WrapperDependencies) =>
  createHandler(contract, dependencies, async (membership) => ok(toWorkspaceObject(membership)));

export const start = serve(contract, makeHandler, {});
