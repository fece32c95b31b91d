import { ServiceError } from '#shared/base/service-error.ts';
import { changeFlow } from '#shared/flows/change-flow.ts';
import { isLive } from '#shared/flows/flow.ts';
import { toFlowObject, warnOfDraft } from '#shared/flows/flow-object.ts';
import { businessAccount } from '#shared/flows/upstream-changes.ts';
import { maxResponseBytes, maxResponseMegabytes, sizeInResponse } from '#shared/http/response-body.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, type FlowDependencies } from './compose.ts';
import { updateFlowJson as contract } from './contracts.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, body, language, requestId, addHeader }) => {
    const context = dependencies.contextFor(workspace, requestId);
    const text = JSON.stringify(body.json);
    if (sizeInResponse(text) > maxResponseBytes) {
      throw new ServiceError('flow.too-large', { values: { limit: maxResponseMegabytes } });
    }
    businessAccount(context);
    const { flow: updated, findings } = await changeFlow(flow, { change: 'update-json', text }, context);
    if (!updated || !isLive(updated)) throw new ServiceError('flow.not-found');
    warnOfDraft(flow, updated, addHeader);
    return ok({ ...toFlowObject(updated, text, language), validation_errors: findings });
  });

export const start = serve(contract, makeHandler, { baseUrl, contextFor });
