import type { FunctionDefinition } from '#shared/operations/contract.ts';

export const deliverNotifications = {
  name: 'deliver-notifications',
  summary: "Delivers queued notifications to the customers' webhooks, many at a time.",
  traffic: 'deliveries',
  uses: {
    table: {
      BatchGetItem: ['DELIVERIES#'],
      GetItem: ['SUBSCRIBER#'],
      Query: ['SECRETS#', 'SUBSCRIBER#'],
      PutItem: ['DELIVERIES#'],
      UpdateItem: ['DELIVERIES#', 'SUBSCRIBER#'],
    },
    indexes: { gsi1: ['HELD#'] },
    bucket: { GetObject: ['notifications/'], ListBucket: ['notifications/'] },
    queue: true,
    egress: true,
    retries: true,
  },
  timeoutSeconds: 30,
  // It mostly waits for receivers, and Lambda bills that time by the memory.
  memoryMegabytes: 256,
} as const satisfies FunctionDefinition;

export const sweepDeliveries = {
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
