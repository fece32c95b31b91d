import type { FunctionDefinition } from '#shared/http/contract.ts';

export const definition = {
  name: 'sweep-deliveries',
  summary: 'Sends deliveries that have waited long to the queue, and sees after targets that are out of order.',
  uses: {
    table: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
    indexes: ['gsi1'],
    reads: ['BREAKERS', 'DELIVERIES#', 'DUE#', 'HELD#', 'NUMBER#'],
    writes: ['DELIVERIES#', 'NUMBER#'],
    queue: true,
  },
  timeoutSeconds: 60,
} as const satisfies FunctionDefinition;
