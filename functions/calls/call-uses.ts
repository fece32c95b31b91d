import type { Workspace } from '#shared/accounts/workspace.ts';
import type { UpstreamCalls } from '#shared/calls/calls-graph.ts';
import type { Uses } from '#shared/operations/contract.ts';
import type { WrapperDependencies } from '#shared/operations/create-handler.ts';

/** What every operation on calls uses. */
export const callUses = { upstream: 'call' } as const satisfies Uses;

/** What the operations on calls depend on. */
export interface CallDependencies extends WrapperDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamCalls;
}
