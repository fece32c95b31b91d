import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { type EndpointTools, publishFlow } from '#shared/domain/flow-endpoint/publish-flow.ts';
import { businessAccount } from '#shared/domain/flows/upstream-changes.ts';
import type { LoadExplain } from '#shared/http/errors/explain.ts';
import type { FlowDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { flowResponse } from '#shared/http/flows/flow-response.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { ensureKeyRegistered } from '#shared/runtime/providers/clients.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { exchanges } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends FlowDependencies, Pick<EndpointTools, 'exchanges'> {
  ensureKeyRegistered: (workspace: Workspace) => Promise<void>;
}

/** Explains why a Flow's endpoint keeps the upstream from publishing it. */
const loadExplain: LoadExplain = async () =>
  (await import('#shared/http/flow-endpoint/explain.ts')).explainExchangeFault;

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
