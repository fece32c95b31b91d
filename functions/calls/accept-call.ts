import { acceptCall } from '#shared/calls/call-acceptance.ts';
import { withCallErrors } from '#shared/calls/call-errors.ts';
import { explainCallError } from '#shared/calls/explain-call-error.ts';
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

export const start = serve(contract, makeHandler, { upstream: callClient });
