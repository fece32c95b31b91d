import { log } from '#shared/base/logger.ts';
import { isVisibleAscii } from '#shared/base/text.ts';
import { callReference, explainCallError, withCallErrors } from '#shared/calls/call-errors.ts';
import { offerFindings, reportFindings } from '#shared/calls/sdp-findings.ts';
import { keyedRequests } from '#shared/operations/compose.ts';
import { createHandler, type KeyedDependencies, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallDependencies, callClient } from './compose.ts';
import { makeCall as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallDependencies & KeyedDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, user, body, addHeader }) => {
      const { to, recipient, session, connection, ...options } = body;
      const findings = offerFindings(session.sdp, connection.webrtc.sdp);
      reportFindings(findings, addHeader);
      const callId = await withCallErrors({ action: 'connect', number, user, findings }, () =>
        dependencies.upstream(workspace).connect(number.phone_number_id, {
          contact: { to, recipient },
          sdp: session.sdp,
          connection,
          options,
        }),
      );
      log('info', 'call.started', { number: number.id, user, call: callId && callReference(callId) });
      if (callId !== undefined && isVisibleAscii(callId)) addHeader('x-call-id', callId);
      return ok({ success: true });
    },
    { explain: explainCallError },
  );

export const start = serve(contract, makeHandler, { upstream: callClient, keyedRequests });
