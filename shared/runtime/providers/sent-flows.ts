import { sentFlowStore } from '#shared/adapters/dynamodb/flows/sent-flows.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

export const sentFlows = provider({ table }, ({ table }) => sentFlowStore(table));
