import { log } from '#shared/base/logger.ts';
import { lacksResponse, UpstreamError } from '#shared/base/upstream-error.ts';
import {
  callReference,
  explainCallError,
  mayConcernAnyValue,
  rejectsSdp,
  withCallErrors,
} from '#shared/calls/call-errors.ts';
import type { CallOptions, UpstreamCalls } from '#shared/calls/calls-graph.ts';
import { findings as findingsOf, reportFindings } from '#shared/calls/sdp-findings.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallDependencies, callClient } from './compose.ts';
import { acceptCall as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, user, body, addHeader }) => {
      const { call_id: callId, sdp, ...options } = body;
      const findings = findingsOf(sdp, 'answer');
      reportFindings(findings, addHeader);
      await withCallErrors({ action: 'accept', number, user, callId, findings }, () =>
        acceptCall(dependencies.upstream(workspace), number.phone_number_id, callId, sdp, options),
      );
      return ok({ success: true });
    },
    { explain: explainCallError },
  );

/**
 * Accepts a call: first `pre_accept`, so that the media connect, then `accept` with the same answer. Only `accept`
 * decides the outcome. `pre_accept` is optional upstream, and the upstream may reject it only because an earlier
 * request, whose response was lost, already succeeded.
 */
async function acceptCall(
  upstream: UpstreamCalls,
  phoneNumberId: string,
  callId: string,
  sdp: string,
  options: CallOptions,
): Promise<void> {
  try {
    await upstream.preAccept(phoneNumberId, callId, sdp);
  } catch (error) {
    if (!(error instanceof UpstreamError) || isFinal(error)) throw error;
    const { failure, code } = error;
    log('warn', 'call.pre-accept-failed', { call: callReference(callId), failure, upstream_code: code });
  }
  await upstream.accept(phoneNumberId, callId, sdp, options);
}

/**
 * Whether `accept` would fail as well: the error concerns the SDP, the number, the contact or this service, and is not a
 * temporary failure of the upstream. A wrong value may only reflect the current state of the call: Graph has no other
 * codes for a repeated action.
 */
function isFinal(error: UpstreamError): boolean {
  const { failure, meaning } = error;
  if (failure === 'rejected') return rejectsSdp(error) || (meaning !== undefined && !mayConcernAnyValue(error));
  return failure !== 'unavailable' && !lacksResponse(error);
}

export const start = serve(contract, makeHandler, { upstream: callClient });
