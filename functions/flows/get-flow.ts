import { flowResponse } from '#shared/flows/flow-object.ts';
import { reconcileFlow } from '#shared/flows/recover-flow.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, type FlowDependencies } from './compose.ts';
import { getFlow as contract } from './contracts.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const current = await reconcileFlow(flow, context);
    return ok(await flowResponse(current, language, context));
  });

export const start = serve(contract, makeHandler, { baseUrl, contextFor });
