import type { FunctionDefinition } from '#shared/http/contract/contract.ts';

export const definition = {
  name: 'sweep-deliveries',
  summary: 'Queues deliveries that have waited long enough, and probes failing targets.',
  uses: {
    table: {
      BatchGetItem: ['DELIVERIES#', 'NUMBER#'],
      Query: ['NUMBER#'],
      UpdateItem: ['DELIVERIES#', 'NUMBER#'],
    },
    indexes: { gsi1: ['BREAKERS', 'DUE#', 'HELD#'] },
    queue: true,
  },
  timeoutSeconds: 60,
} as const satisfies FunctionDefinition;
