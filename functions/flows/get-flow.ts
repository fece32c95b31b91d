import { access } from '#shared/compose/accounts.ts';
import { baseUrl } from '#shared/compose/environment.ts';
import { contextFor } from '#shared/compose/flow-context.ts';
import { flowResponse } from '#shared/flows/flow-object.ts';
import { reconcileFlow } from '#shared/flows/recover-flow.ts';
import { createHandler } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { getFlow as contract, type FlowDependencies } from './contracts.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const current = await reconcileFlow(flow, context);
    return ok(await flowResponse(current, language, context));
  });

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor });
