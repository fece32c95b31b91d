import { batchDeliveries as openBatchDeliveries } from '#shared/adapters/dynamodb/deliveries.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const batchDeliveries = provider({ table }, ({ table }) => openBatchDeliveries(table));
