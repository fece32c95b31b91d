import { flows, foreignFlows, readOutline, sentFlows } from '#functions/flows/compose.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { explainMessageError } from '#shared/messages/explain-message-error.ts';
import type { UpstreamMessages } from '#shared/messages/messages-graph.ts';
import { messageFaults } from '#shared/messages/recipient.ts';
import { type SendFlowContext, sendRequest } from '#shared/messages/send-flow.ts';
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
      const sending = { number, workspace, upstream: dependencies.upstream(workspace) };
      return ok(await sendRequest(body, sending, dependencies));
    },
    { explain: explainMessageError, checkBody: messageFaults },
  );

export const start = serve(contract, makeHandler, {
  upstream: messageClient,
  flows,
  foreignFlows,
  readOutline,
  sentFlows,
  keyedRequests,
});
