import { ServiceError } from '../errors/service-error.ts';
import type { FlowRecord } from './flow.ts';

/** For how long a holder alone may change a Flow. No operation takes as long. */
export const leaseMs = 20_000;

/** Nobody may change the Flow before its holder is done or its lease has run out. */
export function flowBusy(flow: FlowRecord, now: number): ServiceError {
  const left = flow.lease ? flow.lease.until - now : 0;
  return new ServiceError('flow.busy', { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) });
}
