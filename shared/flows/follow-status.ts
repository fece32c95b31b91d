import type { Announce, ServiceEvent } from '#shared/webhooks/event-names.ts';
import type { FlowStatus } from './catalogue.ts';
import { type FlowRecord, isOutdatedReport } from './flow.ts';
import type { FlowStore } from './flow-store.ts';

export interface FollowContext {
  flows: Pick<FlowStore, 'findByUpstreamId' | 'followUpstreamStatus'>;
  announce: Announce;
}

/**
 * Adopts the status that the upstream reports for a Flow, unless a later one is already known. The workspace is sent
 * the event first: after a failure in between, the upstream repeats its report.
 *
 * @param at the report's time, in epoch milliseconds
 */
export async function followStatus(
  waId: string,
  status: FlowStatus,
  at: number,
  { flows, announce }: FollowContext,
): Promise<void> {
  const flow = await flows.findByUpstreamId(waId);
  if (!flow || flow.status === 'DEPRECATED' || isOutdatedReport(flow, status, at)) return;
  const event = eventOfReport(flow, status, at);
  if (event) await announce(event);
  await flows.followUpstreamStatus(flow, status, at);
}

/** The statuses that a workspace is sent an event about. */
const eventTypes: Partial<Record<FlowStatus, ServiceEvent['type']>> = {
  PUBLISHED: 'flow.published',
  THROTTLED: 'flow.throttled',
  BLOCKED: 'flow.blocked',
};

/** What changes the status. The same cause leads to the same event. */
interface Cause {
  id: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The event for a Flow that gets this status by a change of this service, if the status has one. */
export function eventOfChange(flow: FlowRecord, status: FlowStatus | undefined): ServiceEvent | undefined {
  const cause = changeOf(flow);
  return cause && statusEvent(flow, status, cause);
}

/**
 * The event for a Flow whose status the upstream reports, if the status has one. The report of a publication that this
 * service is making leads to the event of that change.
 */
export function eventOfReport(flow: FlowRecord, status: FlowStatus, at: number): ServiceEvent | undefined {
  const isOurs = status === 'PUBLISHED' && flow.pending?.change === 'publish';
  return statusEvent(flow, status, (isOurs && changeOf(flow)) || { id: 'upstream', at });
}

function changeOf({ pending }: FlowRecord): Cause | undefined {
  return pending && { id: pending.lease, at: pending.started_at };
}

function statusEvent(flow: FlowRecord, status: FlowStatus | undefined, cause: Cause): ServiceEvent | undefined {
  const type = status && eventTypes[status];
  if (type === undefined || status === flow.status) return undefined;
  const { id, workspace, name, status: previous_status } = flow;
  return {
    workspace,
    type,
    at: cause.at,
    subject: `${id}:${cause.id}`,
    data: { flow: id, name, previous_status },
  };
}
