import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { timestamp } from '#shared/base/clock.ts';
import { rotateSecret } from '#shared/domain/deliveries/rotate-secret.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & Parameters<typeof rotateSecret>[1];

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number }) => {
    const { secret, previousValidUntil } = await rotateSecret(number.id, dependencies);
    return ok({
      secret,
      previous_valid_until: previousValidUntil === null ? null : timestamp(previousValidUntil),
    });
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return { access: accessReader(table), now: Date.now, targets: targetStore(table) };
}
