import type { Workspace } from '#shared/accounts/workspace.ts';
import type { UrlFault } from '#shared/egress/url-rules.ts';
import type { FlowContext } from '#shared/flows/change-flow.ts';
import type { Uses } from '#shared/operations/contract.ts';
import type { WrapperDependencies } from '#shared/operations/create-handler.ts';

/**
 * What every operation that reads or changes Flows uses. Each may find an abandoned change and reconciles it first: so
 * even an operation that only reads follows the upstream, or discards what the change would have stored.
 */
export const flowUses = {
  table: {
    GetItem: ['FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    // The webhook of the workspace, to which events of Flows go.
    Query: ['SUBSCRIBER#'],
    PutItem: ['FLOWS#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    UpdateItem: ['FLOWS#', 'WORKSPACE#'],
    DeleteItem: ['FLOWS#', 'FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
  },
  bucket: { GetObject: ['flows/'], DeleteObject: ['flows/'], ListBucket: ['flows/'] },
  upstream: 'call',
  queue: true,
} as const satisfies Uses;

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
