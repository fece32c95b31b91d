import * as z from 'zod/mini';
import type { FileToUpload, UpstreamUploads } from '#shared/domain/media/upstream-uploads.ts';
import type { GraphClient } from './graph-client.ts';
import { parseResponse } from './graph-response.ts';
import { multipartForm } from './multipart-form.ts';

const uploaded = z.object({ id: z.string() });

/** Uploads media (Meta, "Upload media"). Throws `UpstreamError` on failure. */
export function upstreamUploads(call: GraphClient): UpstreamUploads {
  return {
    async upload(phoneNumberId: string, file: FileToUpload): Promise<string> {
      const form = multipartForm({ messaging_product: 'whatsapp', type: file.type }, file);
      const response = await call({ method: 'POST', path: `${encodeURIComponent(phoneNumberId)}/media`, stream: form });
      return parseResponse(uploaded, response).id;
    },
  };
}
