import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { UrlFault } from '#shared/domain/egress/url-fault.ts';
import type { FlowContext } from '#shared/domain/flows/change-flow.ts';
import type { WrapperDependencies } from '../wrapper/create-handler.ts';

/** What the operations on Flows depend on. */
export interface FlowDependencies extends WrapperDependencies {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  contextFor: (workspace: Workspace, requestId: string) => FlowContext;
}

/** Further dependencies of the operations that take a Flow's metadata. */
export interface FlowMetadataDependencies extends FlowDependencies {
  /** Returns what is wrong with an `endpoint_url`, without a DNS lookup. */
  endpointUrlFault: (url: string) => UrlFault | undefined;
}
