import type { Uses } from '#shared/http/contract/contract.ts';

/** What every operation on calls uses. */
export const callUses = {
  table: ['BatchGetItem'],
  reads: ['NUMBER#', 'TOKEN#', 'WORKSPACE#'],
  upstream: true,
} as const satisfies Uses;
