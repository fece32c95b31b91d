import { log } from '#shared/base/log/logger.ts';
import { isVisibleAscii } from '#shared/base/visible-ascii.ts';
import { withCallErrors } from '#shared/domain/calls/call-errors.ts';
import { callReference } from '#shared/domain/calls/call-reference.ts';
import type { CallDependencies } from '#shared/http/calls/call-dependencies.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { offerFindings, reportFindings } from '#shared/http/calls/report-findings.ts';
import { createHandler, type KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callClient } from '#shared/runtime/providers/clients.ts';
import { keyedRequests } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, upstream: callClient, keyedRequests });
