import type { FunctionDefinition } from '#shared/http/contract/contract.ts';

export const definition = {
  name: 'authorizer',
  summary: "Identifies the user of a request's access token. The operations decide what that user may do.",
  uses: { table: { GetItem: ['TOKEN#'] } },
  // Longer than the three attempts of its call, and below the ten seconds that API Gateway waits for an authorizer.
  timeoutSeconds: 9,
} as const satisfies FunctionDefinition;
