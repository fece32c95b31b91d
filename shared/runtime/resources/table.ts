import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { resource, text } from '../resource.ts';

export const table = resource('table', { TABLE_NAME: text }, ({ TABLE_NAME }) => openTable(TABLE_NAME));
