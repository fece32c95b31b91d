import { act, loggableId } from '../../shared/calls/act.ts';
import { offerFindings, reportFindings } from '../../shared/calls/report-findings.ts';
import { type CallDependencies, callRuntime } from '../../shared/calls/runtime.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { log } from '../../shared/logger.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(contract, dependencies, async ({ number, user, body, addHeader }) => {
    const { to, session, connection } = body;
    const report = reportFindings(offerFindings(session.sdp, connection.webrtc.sdp), addHeader);
    const callId = await act({ action: 'connect', number, user, ...report }, () =>
      dependencies.upstream().connect(number.phone_number_id, { to, sdp: session.sdp, connection }),
    );
    log('info', 'call.started', { number: number.id, user, call_id: loggableId(callId) });
    return ok({ success: true });
  });

export const handler = makeHandler(callRuntime());
