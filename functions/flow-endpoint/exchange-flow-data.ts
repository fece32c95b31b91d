import { exchanges, findFlow } from '#functions/flows/compose.ts';
import {
  endpointResponse,
  forwardedHeaders,
  type ServeContext,
  serveRequest,
} from '#shared/flow-endpoint/serve-request.ts';
import { signatures } from '#shared/operations/compose.ts';
import { createHandler, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { envelopes, relayContext } from './compose.ts';
import { exchangeFlowData as contract } from './contracts.ts';

type Dependencies = PublicDependencies & ServeContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ header, rawBody, params, receivedAt }) => {
    const signature = header(hubSignatureHeader);
    const request = { body: rawBody(), headers: forwardedHeaders(header), signature, receivedAt };
    return endpointResponse(await serveRequest(params.flow, request, dependencies));
  });

export const start = servePublic(contract, makeHandler, {
  signatures,
  findFlow,
  envelopes,
  exchanges,
  context: relayContext,
});
