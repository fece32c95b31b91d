import type { FieldError } from '#shared/base/field-error.ts';
import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { maxResponseBytes } from '#shared/http/response-body.ts';
import { parseMediaType } from './file-types.ts';

/** The largest file that the upstream delivers: a document (Meta, "Supported media types"). */
export const maxMediaBytes = 100 * 2 ** 20;

/** The largest file that fits in a Lambda response, where base64 turns three bytes into four characters. */
export const maxDirectBytes = Math.floor(maxResponseBytes / 4) * 3;

/** How long the work on a file may take, in milliseconds: what follows the last byte needs the rest. */
export const mediaBudgetMs = maxTimeoutSeconds * 1000 - 4_000;

/**
 * The passing on of a file is not started with fewer milliseconds left: the timeout would interrupt it, and the next
 * request can start right away.
 */
export const minTimeToStartMs = 10_000;

export const mediaCopyKeptDays = 1;

/** How long an upload can be completed, and its completion be repeated. */
export const uploadKeptDays = 1;

/** How many bytes the uploads of a workspace may announce in an hour. The bucket keeps them for up to two days. */
export const maxUploadBytesPerHour = 20 * 2 ** 30;

export const uploadUrlSeconds = 3_600;

const kilobyte = 2 ** 10;
const megabyte = 2 ** 20;

/** Of a sticker that does not move. One that moves may have as much as the table says. */
const maxStillStickerBytes = 100 * kilobyte;

/** The types of files that the upstream takes, and the most bytes of each (Meta, "Supported media types"). */
const maxBytesOf: Readonly<Record<string, number>> = {
  'audio/aac': 16 * megabyte,
  'audio/amr': 16 * megabyte,
  'audio/mp4': 16 * megabyte,
  'audio/mpeg': 16 * megabyte,
  'audio/ogg': 16 * megabyte,
  'image/jpeg': 5 * megabyte,
  'image/png': 5 * megabyte,
  'image/webp': 500 * kilobyte,
  'video/3gpp': 16 * megabyte,
  'video/mp4': 16 * megabyte,
  'application/msword': 100 * megabyte,
  'application/pdf': 100 * megabyte,
  'application/vnd.ms-excel': 100 * megabyte,
  'application/vnd.ms-powerpoint': 100 * megabyte,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 100 * megabyte,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 100 * megabyte,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 100 * megabyte,
  'text/plain': 100 * megabyte,
};

export const fileTypes: readonly string[] = Object.keys(maxBytesOf);

/** Names that software uses for types that the upstream takes only under the other name. The bytes are right. */
const otherNames: Readonly<Record<string, string>> = {
  'audio/m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  // The upstream takes the upload, and rejects the message with it (131053).
  'audio/opus': 'audio/ogg; codecs=opus',
  'audio/x-m4a': 'audio/mp4',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'text/csv': 'text/plain',
  'video/3gp': 'video/3gpp',
};

interface FileFields {
  typeField: string;
  sizeField: string;
}

/** What the upstream would reject in a file of this type and size. */
export function fileFaults({ type, size }: { type: string; size: number }, fields: FileFields): FieldError[] {
  const essence = parseMediaType(type)?.essence ?? '';
  const maxBytes = Object.hasOwn(maxBytesOf, essence) ? maxBytesOf[essence] : undefined;
  if (maxBytes === undefined) {
    const values = { types: fileTypes.join(', ') };
    const instead = Object.hasOwn(otherNames, essence) ? otherNames[essence] : undefined;
    if (instead === undefined) return [{ field: fields.typeField, rule: 'file_type', values }];
    return [{ field: fields.typeField, rule: 'file_type_name', values: { ...values, type: essence, instead } }];
  }
  if (size > maxBytes) {
    return [{ field: fields.sizeField, rule: 'file_size', values: { type: essence, max: sizeText(maxBytes) } }];
  }
  return [];
}

/** What the upstream would reject in a sticker, by its bytes. */
export function stickerFaults({ type, bytes }: { type: string; bytes: Uint8Array }, field: string): FieldError[] {
  const isTooLarge = bytes.byteLength > maxStillStickerBytes;
  if (!isTooLarge || parseMediaType(type)?.essence !== 'image/webp' || !isStillWebp(bytes)) return [];
  return [{ field, rule: 'still_sticker_size', values: { max: sizeText(maxStillStickerBytes) } }];
}

const sizeText = (bytes: number) => (bytes < megabyte ? `${bytes / kilobyte} KB` : `${bytes / megabyte} MB`);

/** Where the container says that the picture is animated: in the flags of the chunk VP8X (WebP Container Specification). */
const animation = { byte: 20, bit: 0b10 };

/**
 * Returns whether these bytes begin a WebP picture that does not move. Anything that is not WebP is left to the
 * upstream.
 */
export function isStillWebp(bytes: Uint8Array): boolean {
  const text = (begin: number) => Buffer.from(bytes.subarray(begin, begin + 4)).toString('latin1');
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP') return false;
  return text(12) !== 'VP8X' || ((bytes[animation.byte] ?? 0) & animation.bit) === 0;
}
