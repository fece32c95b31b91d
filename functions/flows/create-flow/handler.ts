import { createFlow } from '#shared/domain/flows/create-flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { flowPath } from '#shared/http/contract/linked-paths.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import type { FlowMetadataDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { endpointUrlErrors, metadataFrom } from '#shared/http/flows/metadata.ts';
import { createHandler, type KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import { created } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { endpointUrlFault } from '#shared/runtime/providers/egress.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { keyedRequests } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor, endpointUrlFault, keyedRequests });
