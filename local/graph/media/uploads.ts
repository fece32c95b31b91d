import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { assertProduct, fileParam, stringParam, type UploadedFile } from '../http/params.ts';
import { kindOfType, maxBytes, mediaTypes } from './kinds.ts';
import { newMediaId, storedFile } from './media.ts';
import type { MediaStore } from './store.ts';

/** The maximum size in bytes of a sticker that does not move. */
const maxStillStickerBytes = 100 * 2 ** 10;

/** Graph's upload of media (Meta's page "Media", "Supported media types"). */
export function uploadRoute(accounts: readonly BusinessAccount[], store: MediaStore, now: () => number): GraphRoute {
  return {
    operation: 'upload_media',
    method: 'POST',
    edge: 'media',
    handle({ id: phone_number_id, params }: GraphRequest) {
      if (findNumber(accounts, phone_number_id) === undefined) throw new GraphError('object_missing');
      assertProduct(params);
      const file = fileParam(params, 'file');
      const mime_type = stringParam(params, 'type') ?? file.type;
      assertWithinLimits(mime_type, file);
      const id = newMediaId();
      const { buffer, byteOffset, byteLength } = file.bytes;
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      const content = store.keep(id, bytes);
      store.put(storedFile({ id, phone_number_id, mime_type, bytes, content, uploaded: true, now: now() }));
      return { id };
    },
  };
}

function assertWithinLimits(type: string, { bytes }: UploadedFile): void {
  const kind = kindOfType(type);
  if (kind === undefined) {
    const types = `must be a file with one of the following types: ${Object.values(mediaTypes).flat().join(', ')}`;
    throw new GraphError('invalid_parameter', `Param file ${types}. Received file of type '${type}'.`);
  }
  const max = kind === 'sticker' && !isAnimated(bytes) ? maxStillStickerBytes : maxBytes[kind];
  if (bytes.length === 0) throw new GraphError('invalid_parameter', 'The parameter file is empty');
  if (bytes.length > max) throw new GraphError('media_not_uploaded', `A file of this type has at most ${max} bytes`);
}

/** An extended WebP file has a flag for animation (WebP Container Specification). */
function isAnimated(webp: Uint8Array): boolean {
  const isExtended = Buffer.from(webp.subarray(12, 16)).toString('latin1') === 'VP8X';
  return isExtended && ((webp[20] ?? 0) & 0b10) !== 0;
}
