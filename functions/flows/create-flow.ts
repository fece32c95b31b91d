import { createFlow } from '#shared/flows/flow-creation.ts';
import { flowResponse } from '#shared/flows/flow-object.ts';
import { endpointUrlErrors, metadataFrom } from '#shared/flows/schema.ts';
import { businessAccount } from '#shared/flows/upstream-changes.ts';
import { flowPath, pathOf } from '#shared/http/path.ts';
import { baseUrl, keyedRequests } from '#shared/operations/compose.ts';
import { created, createHandler, type KeyedDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, endpointUrlFault, type FlowMetadataDependencies } from './compose.ts';
import { createFlow as contract } from './contracts.ts';

export const makeHandler = (dependencies: FlowMetadataDependencies & KeyedDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ workspace, body, language, requestId, run }) => {
      const context = dependencies.contextFor(workspace, requestId);
      businessAccount(context);
      const flow = await createFlow(workspace.id, metadataFrom(body), context, run);
      const path = pathOf(flowPath, { workspace: workspace.id, flow: flow.id });
      return created(await flowResponse(flow, language, context), `${dependencies.baseUrl}${path}`);
    },
    { checkBody: (body) => endpointUrlErrors(body, dependencies.endpointUrlFault) },
  );

export const start = serve(contract, makeHandler, { baseUrl, contextFor, endpointUrlFault, keyedRequests });
