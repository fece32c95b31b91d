import { ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { changeFlow } from '#shared/flows/change-flow.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { Changed } from '#shared/flows/recover-flow.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import { faultExplanation } from './exchange-record.ts';
import type { ExchangeStore } from './exchange-store.ts';

/** What a publication needs of a Flow's endpoint. */
export interface EndpointTools {
  /** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
  ensureKeyRegistered: (workspace: string) => Promise<void>;
  exchanges: Pick<ExchangeStore, 'latest'>;
}

/** Publishes a draft. Before that, makes sure that phones can use its endpoint. */
export async function publishFlow(flow: FlowRecord, context: FlowContext, endpoint: EndpointTools): Promise<Changed> {
  const startedAt = context.now();
  const prepare = async (leased: FlowRecord) => {
    requireDraft(leased);
    if (isDecryptedHere(leased)) await endpoint.ensureKeyRegistered(leased.workspace);
  };
  try {
    return await changeFlow(flow, { change: 'publish' }, context, prepare);
  } catch (error) {
    throw await withHealthCheck(error, flow, startedAt, context.now(), endpoint);
  }
}

/** The upstream's code for a publication that it rejects, for example because the endpoint fails its health check. */
const publicationRejected = 139002;

/** Another process records the exchange, and its clock may be behind this one's. */
const clockToleranceMs = 5_000;

/**
 * Adds the reason for a failed health check. The upstream reports only that the endpoint failed, but the exchange went
 * through this service, so its record has the reason.
 */
async function withHealthCheck(
  error: unknown,
  flow: FlowRecord,
  startedAt: number,
  now: number,
  { exchanges }: EndpointTools,
): Promise<unknown> {
  if (!(error instanceof UpstreamError) || error.code !== publicationRejected || flow.endpoint_url === null)
    return error;
  const [latest] = await exchanges.latest(flow.id, now);
  const why = latest !== undefined && latest.at >= startedAt - clockToleranceMs ? faultExplanation(latest) : undefined;
  return why === undefined ? error : error.explained({ hints: [why] });
}

const isDecryptedHere = ({ endpoint_url, endpoint_encrypted }: FlowRecord) =>
  endpoint_url !== null && !endpoint_encrypted;

function requireDraft({ status }: FlowRecord): void {
  if (status !== 'DRAFT') throw new ServiceError('flow.not-a-draft', { values: { status } });
}
