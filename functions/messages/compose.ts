import type { Workspace } from '#shared/accounts/workspace.ts';
import { callBudgetMs } from '#shared/base/time-limits.ts';
import { upstreamMessages } from '#shared/messages/messages-graph.ts';
import { upstream } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/variables.ts';

/** Creates the client of one operation, whose time limit starts with the creation. */
export const messageClient = (environment: Environment<'upstream'>) => {
  const { client } = upstream(environment);
  return (workspace: Workspace) => upstreamMessages(client(workspace, Date.now() + callBudgetMs, 'message'));
};
