import { exchangeListSchema } from '#shared/flow-endpoint/schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'list-flow-exchanges',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/flows/{flow}/endpoint/exchanges',
  summary: 'List the exchanges with the endpoint of a Flow',
  description:
    'Lists the last 50 exchanges of the last 30 days, newest first, with their time, subject, duration and faults. They never contain the exchanged data. If `endpoint_encrypted` is `true`, the action and the screen are also absent, because only you can read them.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The exchanges', body: exchangeListSchema } },
  uses: { table: { Query: ['EXCHANGES#'] } },
});
