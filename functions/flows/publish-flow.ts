import type { Workspace } from '#shared/accounts/workspace.ts';
import type { ExchangeStore } from '#shared/flow-endpoint/exchange-store.ts';
import { latestFault } from '#shared/flow-endpoint/make-exchange.ts';
import { flowResponse } from '#shared/flows/flow-object.ts';
import { publishFlow } from '#shared/flows/flow-publication.ts';
import type { LoadExplain } from '#shared/http/error-entry.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, ensureKeyRegistered, exchanges, type FlowDependencies } from './compose.ts';
import { publishFlow as contract } from './contracts.ts';

interface Dependencies extends FlowDependencies {
  exchanges: Pick<ExchangeStore, 'latest'>;
  ensureKeyRegistered: (workspace: Workspace) => Promise<void>;
}

/** Explains why a Flow's endpoint keeps the upstream from publishing it. */
const loadExplain: LoadExplain = async () =>
  (await import('#shared/flow-endpoint/explain-exchange.ts')).explainExchangeFault;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ workspace, flow, language, requestId }) => {
      const context = dependencies.contextFor(workspace, requestId);
      const published = await publishFlow(flow, context, {
        ensureKeyRegistered: () => dependencies.ensureKeyRegistered(workspace),
        latestFault: (since) => latestFault(flow.id, since, dependencies),
      });
      return ok(await flowResponse(published.flow, language, context));
    },
    { explain: loadExplain },
  );

export const start = serve(contract, makeHandler, { baseUrl, contextFor, exchanges, ensureKeyRegistered });
