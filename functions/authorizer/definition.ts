import type { FunctionDefinition } from '#shared/http/contract/contract.ts';

export const definition = {
  name: 'authorizer',
  summary: "Identifies the user of a request's access token. The operations decide what that user may do.",
  uses: { table: ['GetItem'], reads: ['TOKEN#'] },
  timeoutSeconds: 5,
} as const satisfies FunctionDefinition;
