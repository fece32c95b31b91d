import { toWorkspaceObject } from '#shared/http/accounts/workspace-object.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: WrapperDependencies) =>
  createHandler(contract, dependencies, async (membership) => ok(toWorkspaceObject(membership)));

export const handler = serve(contract, makeHandler, { access });
