import type { Workspace } from '#shared/accounts/workspace.ts';
import { explainMessageError, sendMessage } from '#shared/messages/explain-message-error.ts';
import type { UpstreamMessages } from '#shared/messages/messages-graph.ts';
import { recipientFaults } from '#shared/messages/recipient.ts';
import { keyedRequests } from '#shared/operations/compose.ts';
import { createHandler, type KeyedDependencies, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { messageClient } from './compose.ts';
import { sendMarketingMessage as contract } from './contracts.ts';

interface Dependencies extends KeyedDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => Pick<UpstreamMessages, 'sendMarketing'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, body }) => {
      const { sendMarketing: send } = dependencies.upstream(workspace);
      return ok(await sendMessage({ send }, number.phone_number_id, body));
    },
    { explain: explainMessageError, checkBody: recipientFaults },
  );

export const start = serve(contract, makeHandler, { upstream: messageClient, keyedRequests });
