import { openTable } from '#shared/adapters/dynamodb/table/table.ts';
import { resource, text } from '../resource.ts';

export const table = /* @__PURE__ */ resource('table', { TABLE_NAME: text }, ({ TABLE_NAME }, connectTo) =>
  openTable(TABLE_NAME, connectTo('dynamodb')),
);
