import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { presentWebhooks } from '#shared/http/deliveries/present.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: WrapperDependencies) =>
  createHandler(contract, dependencies, async ({ number }) => ok(presentWebhooks(number)));

export const handler = makeHandler({ access: accessReader(openTable(requiredEnv('TABLE_NAME'))), now: Date.now });
