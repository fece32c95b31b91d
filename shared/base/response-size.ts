/**
 * A Lambda response holds at most 6 MB, with the body as a string in JSON: every quotation mark and backslash counts
 * twice (AWS Lambda quotas, invocation payload).
 */
const lambdaPayloadBytes = 6 * 1024 * 1024;

/** Room for headers, and for what stands around a large value in its response. */
const headroomBytes = 64 * 1024;

/** What the values of a response may take together, as {@link sizeInResponse} counts. */
export const maxResponseBytes = lambdaPayloadBytes - headroomBytes;

/** Bytes of a JSON text inside a Lambda response. */
export function sizeInResponse(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}
