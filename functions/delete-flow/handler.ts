import { changeFlow } from '#shared/domain/flows/change-flow.ts';
import { noContent, ok } from '#shared/http/answers.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { type FlowDependencies, flowRuntime } from '#shared/runtime/flows.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const { flow: deprecated } = await changeFlow(flow, { change: 'delete' }, context);
    if (!deprecated) return noContent();
    return ok(await flowResponse(deprecated, language, context));
  });

export const handler = makeHandler(flowRuntime());
