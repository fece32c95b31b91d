import { randomInt } from 'node:crypto';
import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { fileParam, stringParam, type UploadedFile } from '../http/params.ts';
import { assertProduct } from '../messages/params.ts';
import { storedFile } from './media.ts';
import type { MediaStore } from './store.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

const limits: readonly { readonly types: readonly string[]; readonly maxBytes: number }[] = [
  { types: ['audio/aac', 'audio/amr', 'audio/mp4', 'audio/mpeg', 'audio/ogg'], maxBytes: 16 * megabyte },
  { types: ['image/jpeg', 'image/png'], maxBytes: 5 * megabyte },
  { types: ['video/3gpp', 'video/mp4'], maxBytes: 16 * megabyte },
  {
    types: [
      'application/msword',
      'application/pdf',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'text/plain',
    ],
    maxBytes: 100 * megabyte,
  },
];

/** A sticker may be larger if it moves. */
const stickerBytes = { still: 100 * kilobyte, animated: 500 * kilobyte };

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
      const id = String(randomInt(10 ** 14, 2 ** 47));
      const { buffer, byteOffset, byteLength } = file.bytes;
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      const content = store.keep(id, bytes);
      store.put(storedFile({ id, phone_number_id, mime_type, bytes, content, uploaded: true, now: now() }));
      return { id };
    },
  };
}

function assertWithinLimits(type: string, { bytes }: UploadedFile): void {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const maxBytes = essence === 'image/webp' ? stickerLimit(bytes) : limitOf(essence);
  if (maxBytes === undefined) {
    throw new GraphError('invalid_parameter', `The parameter file has a type that is not supported: ${type}`);
  }
  if (bytes.length === 0) throw new GraphError('invalid_parameter', 'The parameter file is empty');
  if (bytes.length > maxBytes)
    throw new GraphError('media_not_uploaded', `A file of this type has at most ${maxBytes} bytes`);
}

const limitOf = (type: string) => limits.find(({ types }) => types.includes(type))?.maxBytes;

/** An extended WebP file has a flag for animation (WebP Container Specification). */
function stickerLimit(bytes: Uint8Array): number {
  const isExtended = Buffer.from(bytes.subarray(12, 16)).toString('latin1') === 'VP8X';
  const isAnimated = isExtended && ((bytes[20] ?? 0) & 0b10) !== 0;
  return isAnimated ? stickerBytes.animated : stickerBytes.still;
}
