import { maxResponseBytes, maxResponseMegabytes, sizeInResponse } from '#shared/base/response-size.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { changeFlow } from '#shared/domain/flows/change-flow.ts';
import { isLive } from '#shared/domain/flows/flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { warnOfDraft } from '#shared/http/flows/edit-warning.ts';
import type { FlowDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { toFlowObject } from '#shared/http/flows/flow-object.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor });
