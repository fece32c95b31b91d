import type { ExchangeStore } from '#shared/domain/flow-endpoint/exchange-store.ts';
import { toExchangeObject } from '#shared/http/flow-endpoint/exchange-object.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { exchanges } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  exchanges: Pick<ExchangeStore, 'latest'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ flow, language }) => {
    const records = await dependencies.exchanges.latest(flow.id, dependencies.now());
    return ok({ data: records.map((record) => toExchangeObject(record, language)) });
  });

export const handler = serve(contract, makeHandler, { access, exchanges });
