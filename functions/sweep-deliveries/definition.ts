import type { FunctionDefinition } from '#shared/http/contract/contract.ts';

export const definition = {
  name: 'sweep-deliveries',
  summary: 'Queues deliveries that have waited long enough, and probes failing targets.',
  uses: {
    table: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
    indexes: ['gsi1'],
    reads: ['BREAKERS', 'DELIVERIES#', 'DUE#', 'HELD#', 'NUMBER#'],
    writes: ['DELIVERIES#', 'NUMBER#'],
    queue: true,
  },
  timeoutSeconds: 60,
} as const satisfies FunctionDefinition;
