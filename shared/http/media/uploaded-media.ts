import * as z from 'zod/mini';
import { describeComponent } from '../contract/contract.ts';

/** What the response to a complete upload says. */
export const uploadedMediaSchema = z.object({ id: z.string() });
/* @__PURE__ */ describeComponent('UploadedMedia', uploadedMediaSchema, () => ({
  id: 'The id of the file, for messages of the number. It is valid for 30 days.',
}));
