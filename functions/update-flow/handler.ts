import { changeFlow } from '#shared/domain/flows/change-flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { metadataFrom } from '#shared/http/flows/metadata.ts';
import { type FlowDependencies, flowRuntime } from '#shared/runtime/flows.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, body, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    businessAccount(context);
    const changed = await changeFlow(flow, { change: 'update', metadata: metadataFrom(body) }, context);
    return ok(await flowResponse(changed.flow, language, context));
  });

export const handler = makeHandler(flowRuntime());
