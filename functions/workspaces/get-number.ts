import { toNumberObject } from '#shared/accounts/account-objects.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { getNumber as contract } from './contracts.ts';

export const makeHandler = (dependencies: WrapperDependencies) =>
  createHandler(contract, dependencies, async ({ number }) => ok(toNumberObject(number)));

export const start = serve(contract, makeHandler, {});
