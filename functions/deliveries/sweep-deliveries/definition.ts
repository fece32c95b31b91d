import type { FunctionDefinition } from '#shared/operations/contract.ts';

export const definition = {
  name: 'sweep-deliveries',
  summary: 'Queues deliveries that have waited long enough, and probes failing targets.',
  uses: {
    table: {
      BatchGetItem: ['DELIVERIES#', 'SUBSCRIBER#'],
      Query: ['SUBSCRIBER#'],
      UpdateItem: ['DELIVERIES#', 'SUBSCRIBER#'],
    },
    indexes: { gsi1: ['DUE#', 'HELD#', 'TRIPPED'] },
    queue: true,
  },
  timeoutSeconds: 60,
} as const satisfies FunctionDefinition;
