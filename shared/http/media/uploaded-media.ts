import * as z from 'zod/mini';

/** What the response to a complete upload says. */
export const uploadedMediaSchema = z.object({ id: z.string() });
z.globalRegistry.add(uploadedMediaSchema, { id: 'UploadedMedia' });
