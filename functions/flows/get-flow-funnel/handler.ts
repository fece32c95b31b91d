import { funnelOf } from '#shared/domain/sent-flows/funnel.ts';
import type { SentFlowStore } from '#shared/domain/sent-flows/sent-flow-store.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { sentFlows } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  sentFlows: Pick<SentFlowStore, 'readFunnel'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ flow }) =>
    ok(funnelOf(flow, await dependencies.sentFlows.readFunnel(flow.id))),
  );

export const handler = serve(contract, makeHandler, { access, sentFlows });
