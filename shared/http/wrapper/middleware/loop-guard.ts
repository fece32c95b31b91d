import { carriesMark, type Mark } from '#shared/base/mark.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { header } from '../request.ts';
import type { Middleware } from './request-context.ts';

/** Rejects a request that this deployment itself sent, so that no request can loop. */
export function loopGuard(mark: Mark): Middleware {
  return {
    before: ({ event }) => {
      if (carriesMark((name) => header(event, name), mark)) throw new ServiceError('loop-detected');
    },
  };
}
