import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { isReadReceipt, messageFaults } from '#shared/domain/messages/message-faults.ts';
import { sendMessage } from '#shared/domain/messages/send-message.ts';
import type { UpstreamMessages } from '#shared/domain/messages/upstream-messages.ts';
import { isFlowMessage, type SendFlowContext, sendFlow } from '#shared/domain/sent-flows/send-flow.ts';
import { explainMessageError } from '#shared/http/messages/explain-message-error.ts';
import { createHandler, type KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { messageClient } from '#shared/runtime/providers/clients.ts';
import { readOutline } from '#shared/runtime/providers/files.ts';
import { flows, keyedRequests, sentFlows } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, {
  access,
  upstream: messageClient,
  flows,
  readOutline,
  sentFlows,
  keyedRequests,
});
