import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { flowJsonStore } from '#shared/adapters/dynamodb/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { upstreamFlows } from '#shared/adapters/graph/flows.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { accessTokenFrom, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { FlowContext } from '#shared/domain/flows/change-flow.ts';
import type { WrapperDependencies } from '#shared/http/create-handler.ts';
import { requiredEnv } from './env.ts';
import { graphSettings } from './graph.ts';

/**
 * All upstream calls of one operation together take at most this long: less than a lease, and than the gateway waits.
 */
const changeBudgetMs = 15_000;

/** What the Flow operations depend on; tests hand in their own. */
export interface FlowDependencies extends WrapperDependencies {
  /** Address of the API, without a slash at its end. */
  baseUrl: string;
  contextFor: (workspace: Workspace, requestId: string) => FlowContext;
}

/** The dependencies of a deployed function, by its environment. */
export function flowRuntime(): FlowDependencies {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  const baseUrl = requiredEnv('BASE_URL');
  const flows = flowStore(table);
  const blobs = blobStore(requiredEnv('BUCKET_NAME'));
  const credentials = credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), now);
  const graph = graphSettings();

  return {
    access: accessReader(table),
    now,
    baseUrl,
    contextFor: (workspace, requestId) => {
      const flowJson = flowJsonStore(table, blobs);
      return {
        flows,
        flowJson,
        upstream: upstreamFlows(
          graphClient(graph, accessTokenFrom(credentials), now() + changeBudgetMs, now),
          graph.headers,
        ),
        wabaId: workspace.waba_id,
        endpointUri: (flow) => `${baseUrl}/v2/flows/${flow}/endpoint`,
        readJson: flowJson.read,
        isTaken: flows.isTaken,
        holder: requestId,
        now,
      };
    },
  };
}
