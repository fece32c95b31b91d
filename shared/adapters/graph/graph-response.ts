import * as z from 'zod/mini';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';

const acknowledgement = z.object({ success: z.optional(z.boolean()) });

/** Checks the response to a change. The upstream returns `success: true`, but may also return `false`. */
export function acknowledged(response: unknown): void {
  const { success } = parseResponse(acknowledgement, response);
  if (success === false) throw new UpstreamError('rejected', 'The messaging platform did not accept the change.');
}

/** Parses a response. A response of an unexpected shape leaves the outcome of the request unknown. */
export function parseResponse<S extends z.ZodMiniType>(schema: S, response: unknown): z.output<S> {
  const result = z.safeParse(schema, response);
  if (result.success) return result.data;
  throw new UpstreamError('broken-response', 'The messaging platform sent a response of an unexpected shape.', {
    cause: result.error,
  });
}
