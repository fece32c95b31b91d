import { presentWebhooks } from '../../shared/deliveries/present.ts';
import { requiredEnv } from '../../shared/env.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { openTable } from '../../shared/storage/table.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: WrapperDependencies) =>
  createHandler(contract, dependencies, async ({ number }) => ok(presentWebhooks(number)));

export const handler = makeHandler({ access: accessReader(openTable(requiredEnv('TABLE_NAME'))), now: Date.now });
