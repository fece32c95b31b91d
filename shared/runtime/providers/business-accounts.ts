import { businessAccountStore } from '#shared/adapters/dynamodb/business-accounts.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const businessAccounts = provider({ table }, ({ table }) => businessAccountStore(table));
