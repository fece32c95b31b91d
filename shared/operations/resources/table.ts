import { openTable } from '#shared/aws/table.ts';
import { resource, text } from '#shared/operations/resource.ts';

export const table = /* @__PURE__ */ resource('table', { TABLE_NAME: text }, ({ TABLE_NAME }, connectTo) =>
  openTable(TABLE_NAME, connectTo('dynamodb')),
);
