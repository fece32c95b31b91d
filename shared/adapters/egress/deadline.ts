import { EgressError } from './errors.ts';

/**
 * A signal that aborts after `ms` milliseconds unless it is cancelled. `AbortSignal.timeout` cannot be cancelled, so
 * after each attempt that succeeds it would keep its timer and then create an error for nobody.
 */
export function deadline(ms: number): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new EgressError('timeout')), ms);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}
