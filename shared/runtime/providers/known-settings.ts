import { secretStore } from '#shared/adapters/dynamodb/secrets.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { knownSettings } from '#shared/domain/deliveries/known-settings.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const settings = provider({ table }, ({ table }, now) =>
  knownSettings(targetStore(table).read, secretStore(table).get, now),
);
