import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { provider } from '../provider.ts';
import { table } from '../resources/table.ts';

/** Provides what only the table is needed for. */
export const ofTable = <T>(open: (table: Table) => T) => provider({ table }, ({ table }) => open(table));
