import { defineContract } from '#shared/http/contract.ts';
import { exchangeListSchema } from '#shared/http/flow-endpoint/schemas.ts';

export const contract = defineContract({
  name: 'list-flow-exchanges',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/flows/{flow}/endpoint/exchanges',
  summary: 'List the exchanges with the endpoint of a Flow',
  description:
    'The last 50 of the last 30 days, newest first: when, what about, how long it took, and what was wrong. Never what was exchanged; with `endpoint_encrypted` not even the action and the screen, which only you can read.',
  tag: 'Flows',
  caller: 'workspace-owner',
  answers: { 200: { description: 'The exchanges', body: exchangeListSchema } },
  uses: { table: ['BatchGetItem', 'Query'] },
});
