import { numberSchema } from '#shared/accounts/account-objects.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'get-number',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}',
  summary: 'Read a number',
  tag: 'Numbers',
  caller: 'number-user',
  responses: { 200: { description: 'The number', body: numberSchema } },
  uses: {},
});
