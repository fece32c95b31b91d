import { flowAnswer } from '../../shared/flows/answer.ts';
import { changeFlow } from '../../shared/flows/change-flow.ts';
import { metadataFrom } from '../../shared/flows/metadata.ts';
import { type FlowDependencies, flowRuntime } from '../../shared/flows/runtime.ts';
import { businessAccount } from '../../shared/flows/upstream-changes.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, body, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    businessAccount(context);
    const changed = await changeFlow(flow, { change: 'update', metadata: metadataFrom(body) }, context);
    return ok(await flowAnswer(changed.flow, language, context));
  });

export const handler = makeHandler(flowRuntime());
