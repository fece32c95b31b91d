import { changeFlow } from '#shared/flows/change-flow.ts';
import { flowResponse } from '#shared/flows/flow-object.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, noContent, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, type FlowDependencies } from './compose.ts';
import { deleteFlow as contract } from './contracts.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const { flow: deprecated } = await changeFlow(flow, { change: 'delete' }, context);
    if (!deprecated) return noContent();
    return ok(await flowResponse(deprecated, language, context));
  });

export const start = serve(contract, makeHandler, { baseUrl, contextFor });
