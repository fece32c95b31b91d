import { acceptCall } from '../../shared/calls/accept-call.ts';
import { act } from '../../shared/calls/act.ts';
import { reportFindings } from '../../shared/calls/report-findings.ts';
import { type CallDependencies, callRuntime } from '../../shared/calls/runtime.ts';
import { findings } from '../../shared/calls/sdp-findings.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
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
