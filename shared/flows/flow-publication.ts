import { ServiceError } from '#shared/base/service-error.ts';
import { type Explanation, UpstreamError } from '#shared/base/upstream-error.ts';
import { changeFlow } from './change-flow.ts';
import type { FlowRecord } from './flow.ts';
import type { Changed } from './recover-flow.ts';
import { businessAccount, type FlowContext } from './upstream-changes.ts';

export interface EndpointTools {
  /** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
  ensureKeyRegistered: () => Promise<void>;
  /** Explains the fault of the endpoint's latest exchange, if that took place since this time. */
  latestFault: (since: number) => Promise<Explanation | undefined>;
}

/**
 * Publishes a Flow, if it is a draft and its workspace has a business account. Before that, makes sure that phones can
 * use its endpoint.
 */
export async function publishFlow(flow: FlowRecord, context: FlowContext, endpoint: EndpointTools): Promise<Changed> {
  businessAccount(context);
  const startedAt = context.now();
  const prepare = async ({ status, endpoint_url, endpoint_encrypted }: FlowRecord) => {
    if (status !== 'DRAFT') throw new ServiceError('flow.not-a-draft', { values: { status } });
    if (endpoint_url !== null && !endpoint_encrypted) await endpoint.ensureKeyRegistered();
  };
  try {
    return await changeFlow(flow, { change: 'publish' }, context, prepare);
  } catch (error) {
    const isRejected = error instanceof UpstreamError && error.code === publicationRejected;
    if (!isRejected || flow.endpoint_url === null) throw error;
    // The upstream reports only that the endpoint failed, but the exchange went through this service.
    const why = await endpoint.latestFault(startedAt - clockToleranceMs);
    throw why === undefined ? error : error.explained({ hints: [why] });
  }
}

/** The upstream's code for a publication that it rejects, for example because the endpoint fails its health check. */
const publicationRejected = 139002;

/** Another process records the exchange, and its clock may be behind this one's. */
const clockToleranceMs = 5_000;
