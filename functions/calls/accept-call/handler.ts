import { acceptCall } from '#shared/domain/calls/accept-call.ts';
import { withCallErrors } from '#shared/domain/calls/call-errors.ts';
import { findings as findingsOf } from '#shared/domain/calls/sdp-findings.ts';
import type { CallDependencies } from '#shared/http/calls/call-dependencies.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { reportFindings } from '#shared/http/calls/report-findings.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callClient } from '#shared/runtime/providers/clients.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, upstream: callClient });
