import type { Uses } from '#shared/http/contract/contract.ts';

/** What every operation on calls uses. */
export const callUses = { upstream: 'call' } as const satisfies Uses;
