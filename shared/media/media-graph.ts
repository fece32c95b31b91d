import * as z from 'zod/mini';
import { own } from '#shared/base/json.ts';
import { isNoSuchObject, UpstreamError } from '#shared/base/upstream-error.ts';
import { acknowledged, type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';
import { type FileToUpload, multipartForm } from '#shared/graph/multipart-form.ts';
import { extensionOf } from './file-types.ts';

/** A file as the upstream describes it. */
export interface UpstreamFile {
  /** The address needs our token and works for five minutes. */
  url: string;
  mimeType: string;
  /** Bytes. */
  size: number | undefined;
  /** Hex. */
  sha256: string | undefined;
}

const description = z.object({
  url: z.string(),
  mime_type: z.string(),
  sha256: z.optional(z.nullable(z.string())),
  /** A string in Graph's schema, a number in its responses. */
  file_size: z.optional(z.nullable(z.union([z.number(), z.string()]))),
});

export type UpstreamMedia = ReturnType<typeof upstreamMedia>;

/** Describes and deletes media (Meta, "Media"). Throws `UpstreamError` on failure. */
export function upstreamMedia(call: GraphClient) {
  return {
    /**
     * Resolves with `unknown` if the upstream does not have the file, or if it belongs to another number. Resolves with
     * `expired` only if the upstream says so, which it rarely does.
     */
    async describe(media: string, phoneNumberId: string): Promise<UpstreamFile | 'unknown' | 'expired'> {
      try {
        const path = encodeURIComponent(media);
        const response = await call({ method: 'GET', path, query: { phone_number_id: phoneNumberId } });
        if (isAnotherObject(response)) return 'unknown';
        const { url, mime_type, file_size, sha256 } = parseResponse(description, response);
        return { url, mimeType: mime_type, size: readSize(file_size), sha256: readSha256(sha256) };
      } catch (error) {
        if (saysExpired(error)) return 'expired';
        if (isNoSuchObject(error) || isNoSuchAlias(error)) return 'unknown';
        throw error;
      }
    },

    async delete(media: string, phoneNumberId: string): Promise<void> {
      const path = encodeURIComponent(media);
      acknowledged(await call({ method: 'DELETE', path, query: { phone_number_id: phoneNumberId } }));
    },
  };
}

/**
 * Graph has many other objects with ids: numbers, accounts, `me`, what strangers published. None of them has a media
 * type, and if one has an address, that address must not get our token.
 */
function isAnotherObject(response: unknown): boolean {
  return own(response, 'id') !== undefined && own(response, 'mime_type') === undefined;
}

/** Graph returns this code for ids that are not numbers. */
function isNoSuchAlias(error: unknown): boolean {
  return error instanceof UpstreamError && error.code === 803;
}

function saysExpired(error: unknown): boolean {
  return error instanceof UpstreamError && error.failure === 'rejected' && /\bexpired\b/i.test(error.message);
}

function readSize(size: number | string | null | undefined): number | undefined {
  const bytes = size === '' || size === null ? Number.NaN : Number(size);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** Graph sends the hash in hex or in base64. Any other text is ignored. */
function readSha256(text: string | null | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : undefined;
}

const uploaded = z.object({ id: z.string() });

export type UpstreamUploads = ReturnType<typeof upstreamUploads>;

/** Uploads media (Meta, "Upload media"). Throws `UpstreamError` on failure. */
export function upstreamUploads(call: GraphClient) {
  return {
    /** Resolves with the id of the media. */
    async upload(phoneNumberId: string, file: FileToUpload): Promise<string> {
      const fields = { messaging_product: 'whatsapp', type: file.type };
      const form = multipartForm(fields, file, `file.${extensionOf(file.type) ?? 'bin'}`);
      const response = await call({ method: 'POST', path: `${encodeURIComponent(phoneNumberId)}/media`, stream: form });
      return parseResponse(uploaded, response).id;
    },
  };
}
