import type { Clock } from '#shared/base/clock.ts';
import type { AccessReader } from '#shared/domain/access/access.ts';
import { authorize } from '../authorize.ts';
import type { Contract } from '../contract.ts';
import type { Middleware } from './request-context.ts';

/** Finds out who calls and loads what the path names, if the caller may use it. */
export function authorization(contract: Contract, access: AccessReader | undefined, now: Clock): Middleware {
  return {
    before: async ({ event, context }) => {
      context.resources = await authorize(contract, event, access, now);
    },
  };
}
