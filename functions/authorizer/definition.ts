import type { FunctionDefinition } from '#shared/http/contract.ts';

export const definition: FunctionDefinition = {
  name: 'authorizer',
  summary: 'Finds out whose access token a request carries; the operations decide what that user may do.',
  uses: { table: ['GetItem'], reads: ['TOKEN#'] },
  timeoutSeconds: 5,
};
