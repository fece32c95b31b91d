import { flows, readOutline, sentFlows } from '#functions/flows/compose.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { explainMessageError, sendMessage } from '#shared/messages/explain-message-error.ts';
import type { UpstreamMessages } from '#shared/messages/messages-graph.ts';
import { isReadReceipt, messageFaults } from '#shared/messages/recipient.ts';
import { isFlowMessage, type SendFlowContext, sendFlow } from '#shared/messages/send-flow.ts';
import { keyedRequests } from '#shared/operations/compose.ts';
import { createHandler, type KeyedDependencies, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { messageClient } from './compose.ts';
import { sendMessage as contract } from './contracts.ts';

interface Dependencies extends KeyedDependencies, SendFlowContext {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamMessages;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, body }) => {
      const upstream = dependencies.upstream(workspace);
      if (isFlowMessage(body)) return ok(await sendFlow(body, { number, workspace, upstream }, dependencies));
      if (!isReadReceipt(body)) return ok(await sendMessage(upstream, number.phone_number_id, body));
      await upstream.markRead(number.phone_number_id, body);
      return ok({ success: true });
    },
    { explain: explainMessageError, checkBody: messageFaults },
  );

export const start = serve(contract, makeHandler, {
  upstream: messageClient,
  flows,
  readOutline,
  sentFlows,
  keyedRequests,
});
