import type { ServiceEvent } from '../accounts/service-event.ts';
import type { FlowStatus } from './catalogue.ts';
import type { FlowRecord } from './flow.ts';

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

/** The event of a Flow that a change of this service gives this status, if there is one. */
export function eventOfChange(flow: FlowRecord, status: FlowStatus | undefined): ServiceEvent | undefined {
  const cause = changeOf(flow);
  return cause && statusEvent(flow, status, cause);
}

/**
 * The event of a Flow for which the upstream reports this status, if there is one. The report of a publication that
 * this service is making leads to the event of that change.
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
