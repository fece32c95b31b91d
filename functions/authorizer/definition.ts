import type { FunctionDefinition } from '#shared/http/contract.ts';

export const definition = {
  name: 'authorizer',
  summary: 'Finds out whose access token a request carries; the operations decide what that user may do.',
  uses: { table: ['GetItem'], reads: ['TOKEN#'] },
  timeoutSeconds: 5,
} as const satisfies FunctionDefinition;
