import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { recipientFaults } from '#shared/domain/messages/message-faults.ts';
import { sendMessage } from '#shared/domain/messages/send-message.ts';
import type { UpstreamMessages } from '#shared/domain/messages/upstream-messages.ts';
import { explainMessageError } from '#shared/http/messages/explain-message-error.ts';
import { createHandler, type KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { messageClient } from '#shared/runtime/providers/clients.ts';
import { keyedRequests } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, upstream: messageClient, keyedRequests });
