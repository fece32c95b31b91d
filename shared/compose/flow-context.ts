import type { Workspace } from '#shared/accounts/workspace.ts';
import { blobStore } from '#shared/aws/bucket.ts';
import { callBudgetMs } from '#shared/base/time-limits.ts';
import { announce } from '#shared/delivery/first-attempts.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { upstreamFlows } from '#shared/flows/flows-graph.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import { flowEndpointPath, pathOf } from '#shared/http/path.ts';
import { api } from '#shared/operations/resources/api.ts';
import { bucket } from '#shared/operations/resources/bucket.ts';
import { queue } from '#shared/operations/resources/queue.ts';
import { table } from '#shared/operations/resources/table.ts';
import { upstream } from '#shared/operations/resources/upstream.ts';
import { provider } from '#shared/operations/serve.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';

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
