import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '#shared/domain/errors/invalid-fields.ts';
import { changeFlow } from '#shared/domain/flows/change-flow.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { type FlowReader, readWithJson } from '#shared/domain/flows/read-with-json.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { warnOfDraft } from '#shared/http/flows/edit-warning.ts';
import type { FlowMetadataDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { endpointUrlErrors, metadataChangesFrom } from '#shared/http/flows/metadata.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { endpointUrlFault } from '#shared/runtime/providers/egress.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowMetadataDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ workspace, flow, body, language, requestId, addHeader }) => {
      const context = dependencies.contextFor(workspace, requestId);
      await rejectOtherJson(body.json, flow, context);
      businessAccount(context);
      const changed = await changeFlow(flow, { change: 'update', metadata: metadataChangesFrom(body) }, context);
      warnOfDraft(flow, changed.flow, addHeader);
      return ok(await flowResponse(changed.flow, language, context));
    },
    { checkBody: (body) => endpointUrlErrors(body, dependencies.endpointUrlFault) },
  );

/** A client may send back the Flow JSON that it has read, but this operation does not change it. */
async function rejectOtherJson(json: unknown, flow: FlowRecord, context: FlowReader): Promise<void> {
  if (json === undefined) return;
  const stored = await readWithJson(flow, context);
  if (stored && !isDeepStrictEqual(JSON.parse(stored.text), json)) throw invalidField('json', 'other_flow_json');
}

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor, endpointUrlFault });
