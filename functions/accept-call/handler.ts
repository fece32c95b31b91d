import { acceptCall } from '#shared/domain/calls/accept-call.ts';
import { act } from '#shared/domain/calls/act.ts';
import { findings as findingsOf } from '#shared/domain/calls/sdp-findings.ts';
import { ok } from '#shared/http/answers.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { reportFindings } from '#shared/http/calls/report-findings.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { type CallDependencies, callRuntime } from '#shared/runtime/calls.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, user, body: { call_id: callId, sdp }, addHeader }) => {
      const findings = findingsOf(sdp, 'answer');
      reportFindings(findings, addHeader);
      await act({ action: 'accept', number, user, callId, findings }, () =>
        acceptCall(dependencies.upstream(), number.phone_number_id, callId, sdp),
      );
      return ok({ success: true });
    },
    explainCallError,
  );

export const handler = makeHandler(callRuntime());
