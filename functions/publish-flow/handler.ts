import { exchangeStore } from '#shared/adapters/dynamodb/exchanges.ts';
import { numberStore } from '#shared/adapters/dynamodb/numbers.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { accessTokenFrom, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { flowKeyStore } from '#shared/adapters/secrets-manager/flow-keys.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { ExchangeStore } from '#shared/domain/flow-endpoint/exchange-store.ts';
import { faultExplanation } from '#shared/domain/flow-endpoint/fault-explanation.ts';
import { ensureKeys } from '#shared/domain/flow-endpoint/key-ring.ts';
import { ensureRegistered } from '#shared/domain/flow-endpoint/register-key.ts';
import { changeFlow } from '#shared/domain/flows/change-flow.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { explainExchangeFault } from '#shared/http/flow-endpoint/explain.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { type FlowDependencies, flowRuntime } from '#shared/runtime/flows.ts';
import { graphSettings } from '#shared/runtime/graph.ts';
import { contract } from './contract.ts';

interface Dependencies extends FlowDependencies {
  /** Sees to it that phones encrypt what they send to the workspace's numbers for the workspace's key. */
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
      const prepare = async (held: FlowRecord) => {
        requireDraft(held);
        if (isDecryptedHere(held)) await dependencies.ensureKeyRegistered(workspace.id);
      };
      const startedAt = dependencies.now();
      const changed = await changeFlow(flow, { change: 'publish' }, context, prepare).catch(async (error) => {
        throw await withHealthCheck(error, flow, startedAt, dependencies);
      });
      return ok(await flowResponse(changed.flow, language, context));
    },
    explainExchangeFault,
  );

export const handler = makeHandler(runtime());

/** The upstream's code of publications that it refuses, for one because the Flow's endpoint fails the health check. */
const publishRefused = 139002;

/** Another process noted the exchange, and its clock may be behind this one's. */
const clockToleranceMs = 5_000;

/** The upstream says only that the endpoint failed; the exchange, which went through this service, tells why. */
async function withHealthCheck(
  error: unknown,
  flow: FlowRecord,
  startedAt: number,
  { exchanges, now }: Pick<Dependencies, 'exchanges' | 'now'>,
): Promise<unknown> {
  if (!(error instanceof UpstreamError) || error.code !== publishRefused || flow.endpoint_url === null) return error;
  const [latest] = await exchanges.latest(flow.id, now());
  const why = latest !== undefined && latest.at >= startedAt - clockToleranceMs ? faultExplanation(latest) : undefined;
  return why === undefined ? error : error.explained({ hints: [why] });
}

const isDecryptedHere = ({ endpoint_url, endpoint_encrypted }: FlowRecord) =>
  endpoint_url !== null && !endpoint_encrypted;

function requireDraft({ status }: FlowRecord): void {
  if (status !== 'DRAFT') throw new ServiceError('flow.not-a-draft', { values: { status } });
}

/** All that has to do with keys takes at most this long: a lease lasts for that and for the publication. */
const registrationBudgetMs = 8_000;

function runtime(): Dependencies {
  const now = Date.now;
  const secretId = requiredEnv('UPSTREAM_SECRET_ID');
  const table = openTable(requiredEnv('TABLE_NAME'));
  const numbers = numberStore(table);
  const flowKeys = flowKeyStore(secretId);
  const accessToken = accessTokenFrom(credentialsReader(secretId, now));
  const graph = graphSettings();
  return {
    ...flowRuntime(),
    exchanges: exchangeStore(table),
    async ensureKeyRegistered(workspace) {
      const encryption = upstreamEncryption(graphClient(graph, accessToken, now() + registrationBudgetMs, now));
      const keys = await ensureKeys(workspace, { flowKeys, now });
      const active = (await numbers.listByWorkspace(workspace)).filter((number) => number.active);
      await ensureRegistered(active, keys, encryption);
    },
  };
}
