import { exchanges } from '#functions/flows/compose.ts';
import type { ExchangeStore } from '#shared/flow-endpoint/exchange-store.ts';
import { toExchangeObject } from '#shared/flow-endpoint/explain-exchange.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { listFlowExchanges as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  exchanges: Pick<ExchangeStore, 'latest'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ flow, language }) => {
    const records = await dependencies.exchanges.latest(flow.id, dependencies.now());
    return ok({ data: records.map((record) => toExchangeObject(record, language)) });
  });

export const start = serve(contract, makeHandler, { exchanges });
