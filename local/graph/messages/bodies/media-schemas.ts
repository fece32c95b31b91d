import * as z from 'zod/mini';
import { required, text, webAddress } from './fields.ts';

/** A file in a message: one that the platform has, or one that it fetches from a link. */
export function mediaWith(members: Record<string, z.ZodMiniType>) {
  return z
    .looseObject({
      id: z.optional(required()),
      link: z.optional(webAddress),
      caption: z.optional(text('caption')),
      ...members,
    })
    .check(z.refine(({ id, link }) => (id === undefined) !== (link === undefined), 'needs either id or link'));
}

export const mediaSchema = mediaWith({});
