import * as z from 'zod/mini';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';

const acknowledgement = z.object({ success: z.optional(z.boolean()) });

/** The upstream answers a change with `success: true`; it can also say `false`. */
export function acknowledged(answer: unknown): void {
  const { success } = parseAnswer(acknowledgement, answer);
  if (success === false) throw new UpstreamError('refused', 'The messaging platform did not accept the change.');
}

/** An answer of another shape than Graph's leaves open what was done. */
export function parseAnswer<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const result = z.safeParse(schema, answer);
  if (result.success) return result.data;
  throw new UpstreamError('no-answer', 'The messaging platform answered in an unexpected shape.', {
    cause: result.error,
  });
}
