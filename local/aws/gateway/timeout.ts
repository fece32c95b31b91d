export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Waits for a promise, but no longer than this. The promise itself goes on. */
export async function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeoutError(`No response within ${milliseconds} ms.`)), milliseconds);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
