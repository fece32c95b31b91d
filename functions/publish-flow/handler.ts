import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { ExchangeStore } from '#shared/domain/flow-endpoint/exchange-store.ts';
import { faultExplanation } from '#shared/domain/flow-endpoint/fault-explanation.ts';
import { changeFlow } from '#shared/domain/flows/change-flow.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { explainExchangeFault } from '#shared/http/flow-endpoint/explain.ts';
import type { FlowDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { baseUrl } from '#shared/runtime/providers/base-url.ts';
import { exchanges } from '#shared/runtime/providers/exchanges.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { ensureKeyRegistered } from '#shared/runtime/providers/key-registration.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends FlowDependencies {
  /** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
  ensureKeyRegistered: (workspace: string) => Promise<void>;
  exchanges: Pick<ExchangeStore, 'latest'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ workspace, flow, language, requestId }) => {
      const context = dependencies.contextFor(workspace, requestId);
      businessAccount(context);
      const prepare = async (leased: FlowRecord) => {
        requireDraft(leased);
        if (isDecryptedHere(leased)) await dependencies.ensureKeyRegistered(workspace.id);
      };
      const startedAt = dependencies.now();
      const changed = await changeFlow(flow, { change: 'publish' }, context, prepare).catch(async (error) => {
        throw await withHealthCheck(error, flow, startedAt, dependencies);
      });
      return ok(await flowResponse(changed.flow, language, context));
    },
    { explain: explainExchangeFault },
  );

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor, exchanges, ensureKeyRegistered });

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
  { exchanges, now }: Pick<Dependencies, 'exchanges' | 'now'>,
): Promise<unknown> {
  if (!(error instanceof UpstreamError) || error.code !== publicationRejected || flow.endpoint_url === null)
    return error;
  const [latest] = await exchanges.latest(flow.id, now());
  const why = latest !== undefined && latest.at >= startedAt - clockToleranceMs ? faultExplanation(latest) : undefined;
  return why === undefined ? error : error.explained({ hints: [why] });
}

const isDecryptedHere = ({ endpoint_url, endpoint_encrypted }: FlowRecord) =>
  endpoint_url !== null && !endpoint_encrypted;

function requireDraft({ status }: FlowRecord): void {
  if (status !== 'DRAFT') throw new ServiceError('flow.not-a-draft', { values: { status } });
}
