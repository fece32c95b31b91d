import { startTimer } from '../lambda/timer.ts';

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Waits for a promise, but no longer than this. The promise itself goes on. */
export function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(milliseconds, () => reject(new TimeoutError(`No response within ${milliseconds} ms.`)));
    promise.then(resolve, reject).finally(stop);
  });
}
