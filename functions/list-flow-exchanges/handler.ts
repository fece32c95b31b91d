import { requiredEnv } from '../../shared/env.ts';
import { presentExchange } from '../../shared/flow-endpoint/present.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { type ExchangeStore, exchangeStore } from '../../shared/storage/exchanges.ts';
import { openTable } from '../../shared/storage/table.ts';
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
