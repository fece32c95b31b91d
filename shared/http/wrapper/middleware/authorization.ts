import type { Clock } from '#shared/base/time/clock.ts';
import type { AccessReader } from '#shared/domain/access/access.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { authorize } from '../authorize.ts';
import type { Middleware } from './request-context.ts';

/** Identifies the caller and loads the resources that the path names, if the caller may use them. */
export function authorization(contract: Contract, access: AccessReader | undefined, now: Clock): Middleware {
  return {
    before: async ({ event, context }) => {
      context.resources = await authorize(contract, event, access, now, (user) => {
        context.resources = { user };
      });
    },
  };
}
