import { requiredEnv } from '../env.ts';
import type { WrapperDependencies } from '../http/create-handler.ts';
import { accessReader } from '../storage/access.ts';
import { blobStore } from '../storage/blobs.ts';
import { flowJsonStore } from '../storage/flow-json.ts';
import { flowStore } from '../storage/flows.ts';
import { openTable } from '../storage/table.ts';
import { accessTokenFrom, credentialsReader } from '../upstream/credentials.ts';
import { upstreamFlows } from '../upstream/flows.ts';
import { graphClient } from '../upstream/graph-client.ts';
import { graphSettings } from '../upstream/runtime.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import type { FlowContext } from './change-flow.ts';

/** All upstream calls of one operation together take at most this long: less than a lease, and than the gateway waits. */
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
