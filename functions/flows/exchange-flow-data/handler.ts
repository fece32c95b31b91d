import { type ServeContext, serveRequest } from '#shared/domain/flow-endpoint/serve-request.ts';
import { hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { endpointResponse } from '#shared/http/flow-endpoint/endpoint-response.ts';
import { forwardedHeaders } from '#shared/http/flow-endpoint/forwarded-headers.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { signatures } from '#shared/runtime/providers/credentials.ts';
import { relayContext } from '#shared/runtime/providers/exchange-context.ts';
import { envelopes, exchanges, findFlow } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = PublicDependencies & ServeContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ header, rawBody, params, receivedAt }) => {
    const signature = header(hubSignatureHeader);
    const request = { body: rawBody(), headers: forwardedHeaders(header), signature, receivedAt };
    return endpointResponse(await serveRequest(params.flow, request, dependencies));
  });

export const handler = serve(contract, makeHandler, {
  signatures,
  findFlow,
  envelopes,
  exchanges,
  context: relayContext,
});
