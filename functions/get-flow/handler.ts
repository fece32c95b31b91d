import { settleFlow } from '#shared/domain/flows/change-flow.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { type FlowDependencies, flowRuntime } from '#shared/runtime/flows.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const current = await settleFlow(flow, context);
    return ok(await flowResponse(current, language, context));
  });

export const handler = makeHandler(flowRuntime());
