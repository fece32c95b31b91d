import { timeOfId } from '#shared/base/ids.ts';
import { leaseFor } from '#shared/base/time-limits.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { firstRun, type Run } from '#shared/idempotency/run-keyed.ts';
import { carryOut, changeFlow } from './change-flow.ts';
import { type FlowMetadata, type FlowRecord, isLive, type LiveFlow } from './flow.ts';
import type { LeasedFlow } from './flow-store.ts';
import { adopt } from './recover-flow.ts';
import type { FlowContext } from './upstream-changes.ts';

/**
 * Creates a Flow upstream and then stores it. If the upstream rejects the request because an earlier one of the same
 * name was interrupted after the upstream had created its Flow, that Flow is adopted. So a retry leaves one Flow on
 * both sides.
 */
export async function createFlow(
  workspace: string,
  metadata: FlowMetadata,
  context: FlowContext,
  run: Run = firstRun(),
): Promise<LiveFlow> {
  for (const id of run.earlier) {
    // A Flow has the id of the run that created it.
    const created = await context.flows.get(workspace, id);
    if (created && isLive(created)) return created;
  }
  const draft = newFlow(run.id, workspace, metadata, context);
  await context.flows.insert(draft);
  try {
    return live((await carryOut(draft, { change: 'create' }, context)).flow);
  } catch (error) {
    if (!(error instanceof UpstreamError && error.failure === 'rejected')) throw error;
    const adopted = await adopt(draft, context);
    if (!adopted) throw error;
    return live((await changeFlow(adopted, { change: 'update', metadata }, context)).flow);
  }
}

function newFlow(id: string, workspace: string, metadata: FlowMetadata, context: FlowContext): LeasedFlow {
  const now = context.now();
  return {
    id,
    workspace,
    ...metadata,
    status: 'DRAFT',
    version: null,
    json: { text: '{}' },
    preview_generation: 0,
    // Lists are sorted by id.
    created_at: timeOfId(id),
    updated_at: timeOfId(id),
    pending: { lease: context.holder, started_at: now, change: 'create' },
    lease: leaseFor(context.holder, now),
  };
}

function live(flow: FlowRecord | undefined): LiveFlow {
  if (flow && isLive(flow)) return flow;
  throw new Error('The upstream gave the Flow no id');
}
