import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const secrets = provider({ table }, ({ table }) => secretStore(table));
