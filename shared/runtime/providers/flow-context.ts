import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { upstreamFlows } from '#shared/adapters/graph/flows.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { announce } from '#shared/domain/deliveries/announce.ts';
import type { FlowContext } from '#shared/domain/flows/change-flow.ts';
import { callBudgetMs } from '#shared/domain/upstream/limits.ts';
import { flowEndpointPath } from '#shared/http/contract/linked-paths.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import { provider } from '../provider.ts';
import { api } from '../resources/api.ts';
import { bucket } from '../resources/bucket.ts';
import { queue } from '../resources/queue.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

/** What a request that reads or changes Flows of a workspace needs. */
export const contextFor = /* @__PURE__ */ provider(
  { api, table, bucket, queue, upstream },
  ({ api, table, bucket, queue, upstream }, now) => {
    const flows = flowStore(table);
    const flowJson = flowJsonStore(table, blobStore(bucket));
    return (workspace: Workspace, requestId: string): FlowContext => ({
      flows,
      flowJson,
      announce: (event) => announce(event, { targets: targetStore(table), queue, now }),
      upstream: upstreamFlows(upstream.client(workspace, now() + callBudgetMs), upstream.headers),
      wabaId: workspace.waba_id,
      endpointUri: (flow) => `${api.publicUrl}${pathOf(flowEndpointPath, { flow })}`,
      isTaken: flows.isTaken,
      holder: requestId,
      now,
    });
  },
);
