import { funnelOf } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { sentFlows } from './compose.ts';
import { getFlowFunnel as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  sentFlows: Pick<SentFlowStore, 'readFunnel'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ flow }) =>
    ok(funnelOf(flow, await dependencies.sentFlows.readFunnel(flow.id))),
  );

export const start = serve(contract, makeHandler, { sentFlows });
