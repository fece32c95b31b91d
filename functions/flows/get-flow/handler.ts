import { reconcileFlow } from '#shared/domain/flows/change-flow.ts';
import type { FlowDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const current = await reconcileFlow(flow, context);
    return ok(await flowResponse(current, language, context));
  });

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor });
