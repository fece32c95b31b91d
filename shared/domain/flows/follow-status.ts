import type { Announce } from '../accounts/service-event.ts';
import type { FlowStatus } from './catalogue.ts';
import { isOutdatedReport } from './flow.ts';
import type { FlowStore } from './flow-store.ts';
import { eventOfReport } from './status-event.ts';

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
