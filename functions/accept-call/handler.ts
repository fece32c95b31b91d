import { acceptCall } from '#shared/domain/calls/accept-call.ts';
import { act } from '#shared/domain/calls/act.ts';
import { findings } from '#shared/domain/calls/sdp-findings.ts';
import { ok } from '#shared/http/answers.ts';
import { reportFindings } from '#shared/http/calls/report-findings.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { type CallDependencies, callRuntime } from '#shared/runtime/calls.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(contract, dependencies, async ({ number, user, body: { call_id: callId, sdp }, addHeader }) => {
    const report = reportFindings(findings(sdp, 'answer'), addHeader);
    await act({ action: 'accept', number, user, callId, ...report }, () =>
      acceptCall(dependencies.upstream(), number.phone_number_id, callId, sdp),
    );
    return ok({ success: true });
  });

export const handler = makeHandler(callRuntime());
