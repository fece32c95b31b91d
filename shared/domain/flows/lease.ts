import { ServiceError } from '../errors/service-error.ts';
import type { FlowRecord } from './flow.ts';

/** The error for a Flow whose lease another request holds. Clients should retry when the lease expires. */
export function flowBusy(flow: FlowRecord, now: number): ServiceError {
  const left = flow.lease ? flow.lease.until - now : 0;
  return new ServiceError('flow.busy', { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) });
}
