import type { Workspace } from '#shared/accounts/workspace.ts';
import { callBudgetMs } from '#shared/base/time-limits.ts';
import { upstreamCallSettings } from '#shared/calls/call-settings-graph.ts';
import { upstreamCalls } from '#shared/calls/calls-graph.ts';
import { upstream } from '#shared/operations/compose.ts';
import type { WrapperDependencies } from '#shared/operations/create-handler.ts';
import type { Environment } from '#shared/operations/variables.ts';

/** What the operations on calls depend on. */
export interface CallDependencies extends WrapperDependencies {
  upstream: ReturnType<typeof callClient>;
}

/** Creates the client of one operation, whose time limit starts with the creation. */
export const callClient = (environment: Environment<'upstream'>) => {
  const { client } = upstream(environment);
  return (workspace: Workspace) => upstreamCalls(client(workspace, Date.now() + callBudgetMs, 'call'));
};

export const callSettingsClient = (environment: Environment<'upstream'>) => {
  const { client } = upstream(environment);
  return (workspace: Workspace) => upstreamCallSettings(client(workspace, Date.now() + callBudgetMs, 'call'));
};
