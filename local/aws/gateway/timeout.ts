export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Waits for a promise, but no longer than this. The promise itself goes on. */
export function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(`No response within ${milliseconds} ms.`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
