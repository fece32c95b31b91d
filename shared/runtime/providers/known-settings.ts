import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { knownSettings } from '#shared/domain/attempts/known-settings.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const settings = provider({ table }, ({ table }, now) =>
  knownSettings(targetStore(table).read, secretStore(table).get, now),
);
