import type { UpstreamCalls } from '#shared/domain/calls/upstream-calls.ts';
import type { WrapperDependencies } from '../create-handler.ts';

/** What the operations on calls depend on. */
export interface CallDependencies extends WrapperDependencies {
  /** For one operation, whose time begins now. */
  upstream: () => UpstreamCalls;
}
