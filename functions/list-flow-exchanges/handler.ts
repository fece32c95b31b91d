import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { exchangeStore } from '#shared/adapters/dynamodb/exchanges.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import type { ExchangeStore } from '#shared/domain/flow-endpoint/exchange-store.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { presentExchange } from '#shared/http/flow-endpoint/present.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  exchanges: Pick<ExchangeStore, 'latest'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ flow, language }) => {
    const records = await dependencies.exchanges.latest(flow.id, dependencies.now());
    return ok({ data: records.map((record) => presentExchange(record, language)) });
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return { access: accessReader(table), now: Date.now, exchanges: exchangeStore(table) };
}
