import { createFlow } from '#shared/domain/flows/create-flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { created } from '#shared/http/answers.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { metadataFrom } from '#shared/http/flows/metadata.ts';
import { type FlowDependencies, flowRuntime } from '#shared/runtime/flows.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, body, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    businessAccount(context);
    const flow = await createFlow(workspace.id, metadataFrom(body), context);
    const location = `${dependencies.baseUrl}/v2/workspaces/${workspace.id}/flows/${flow.id}`;
    return created(await flowResponse(flow, language, context), location);
  });

export const handler = makeHandler(flowRuntime());
