import type { FunctionDefinition } from '../../shared/http/contract.ts';

export const definition: FunctionDefinition = {
  name: 'deliver-notifications',
  summary: 'Delivers the notifications in the queue to the customers, many at once.',
  uses: {
    table: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    indexes: ['gsi1'],
    bucket: ['GetObject', 'ListBucket'],
    queue: true,
    outgoing: true,
  },
  timeoutSeconds: 30,
};
