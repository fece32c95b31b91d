/** Errors of what came before a request to the upstream. */
const beforeAnyRequest = new WeakSet<object>();

/** Prepares a request to the upstream. If that fails, the request was certainly not sent. */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof Error) beforeAnyRequest.add(error);
    throw error;
  }
}

/** Whether the error comes from the preparation of a request, and so from before the request. */
export function cameBeforeSending(error: unknown): boolean {
  return error instanceof Error && beforeAnyRequest.has(error);
}
