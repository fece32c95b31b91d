import type { Uses } from '#shared/http/contract.ts';

/** What every call operation touches. */
export const callUses = { table: ['BatchGetItem'], upstream: true } as const satisfies Uses;
