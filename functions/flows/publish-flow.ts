import type { Workspace } from '#shared/accounts/workspace.ts';
import { access } from '#shared/compose/accounts.ts';
import { ensureKeyRegistered } from '#shared/compose/clients.ts';
import { baseUrl } from '#shared/compose/environment.ts';
import { contextFor } from '#shared/compose/flow-context.ts';
import { exchanges } from '#shared/compose/stores.ts';
import { type EndpointTools, publishFlow } from '#shared/flow-endpoint/flow-publication.ts';
import { flowResponse } from '#shared/flows/flow-object.ts';
import { businessAccount } from '#shared/flows/upstream-changes.ts';
import type { LoadExplain } from '#shared/http/error-entry.ts';
import { createHandler } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { publishFlow as contract, type FlowDependencies } from './contracts.ts';

interface Dependencies extends FlowDependencies, Pick<EndpointTools, 'exchanges'> {
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
      businessAccount(context);
      const ensureKeyRegistered = () => dependencies.ensureKeyRegistered(workspace);
      const published = await publishFlow(flow, context, { ...dependencies, ensureKeyRegistered });
      return ok(await flowResponse(published.flow, language, context));
    },
    { explain: loadExplain },
  );

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor, exchanges, ensureKeyRegistered });
