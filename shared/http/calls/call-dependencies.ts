import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { UpstreamCalls } from '#shared/domain/calls/upstream-calls.ts';
import type { WrapperDependencies } from '../wrapper/create-handler.ts';

/** What the operations on calls depend on. */
export interface CallDependencies extends WrapperDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamCalls;
}
