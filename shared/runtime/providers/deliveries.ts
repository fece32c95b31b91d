import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const deliveries = provider({ table }, ({ table }) => deliveryStore(table));
