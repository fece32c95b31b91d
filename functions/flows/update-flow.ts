import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '#shared/base/service-error.ts';
import { changeFlow } from '#shared/flows/change-flow.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { flowResponse, warnOfDraft } from '#shared/flows/flow-object.ts';
import { type FlowReader, readWithJson } from '#shared/flows/read-with-json.ts';
import { endpointUrlErrors, metadataChangesFrom } from '#shared/flows/schema.ts';
import { businessAccount } from '#shared/flows/upstream-changes.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, endpointUrlFault, type FlowMetadataDependencies } from './compose.ts';
import { updateFlow as contract } from './contracts.ts';

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

export const start = serve(contract, makeHandler, { baseUrl, contextFor, endpointUrlFault });
