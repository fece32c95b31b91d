import type { FieldError } from '#shared/base/field-error.ts';
import { adviceFor } from './file-type-advice.ts';

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

/** `type/subtype` with parameters (RFC 9110 §8.3.1). It becomes a header of a form's part, so it is one line of ASCII. */
const mediaType = /^[ \t]*([\w.+-]+\/[\w.+-]+)((?:[ \t]*;[ \t]*[\w.+-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*)[ \t]*$/;

const maxTypeLength = 200;

interface FileFields {
  /** The fields of the request that an error names. */
  typeField: string;
  sizeField: string;
}

/** What the upstream would reject in a file of this type and size. */
export function fileFaults({ type, size }: { type: string; size: number }, fields: FileFields): FieldError[] {
  const essence = essenceOf(type);
  const maxBytes = essence !== undefined && Object.hasOwn(maxBytesOf, essence) ? maxBytesOf[essence] : undefined;
  if (essence === undefined || maxBytes === undefined) return [typeFault(essence, fields.typeField)];
  if (size > maxBytes) {
    return [{ field: fields.sizeField, rule: 'file_size', values: { type: essence, max: sizeText(maxBytes) } }];
  }
  return [];
}

/** What the upstream would reject in a sticker, by its bytes. */
export function stickerFaults({ type, bytes }: { type: string; bytes: Uint8Array }, field: string): FieldError[] {
  const isTooLarge = bytes.byteLength > maxStillStickerBytes;
  if (!isTooLarge || essenceOf(type) !== 'image/webp' || !isStillWebp(bytes)) return [];
  return [{ field, rule: 'still_sticker_size', values: { max: sizeText(maxStillStickerBytes) } }];
}

function typeFault(essence: string | undefined, field: string): FieldError {
  const types = fileTypes.join(', ');
  const advice = essence && adviceFor(essence);
  if (!advice) return { field, rule: 'file_type', values: { types } };
  return { field, rule: advice.rule, values: { types, type: essence, instead: advice.instead } };
}

/** The type without its parameters, if it is valid. */
function essenceOf(type: string): string | undefined {
  return type.length > maxTypeLength ? undefined : mediaType.exec(type)?.[1]?.toLowerCase();
}

const sizeText = (bytes: number) => (bytes < megabyte ? `${bytes / kilobyte} KB` : `${bytes / megabyte} MB`);

/**
 * The media types that files keep, each with its file extension: images, sound, video and documents that no browser
 * runs. All other files are served as plain bytes, above all pages, vector graphics and scripts.
 */
const extensions: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'text/vcard': 'vcf',
  'video/3gpp': '3gp',
  'video/3gpp2': '3g2',
  'video/mp4': 'mp4',
  'video/mpeg': 'mpeg',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

/** The extension for files of a media type, whose parameters do not matter. Only the types above have one. */
export function extensionOf(type: string): string | undefined {
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  return Object.hasOwn(extensions, essence) ? extensions[essence] : undefined;
}

/** Extensions other than the one that the table gives for a type. */
const otherExtensions = new Map([
  ['3gpp', '3gp'],
  ['jfif', 'jpg'],
  ['jpe', 'jpg'],
  ['jpeg', 'jpg'],
  ['oga', 'ogg'],
  ['opus', 'ogg'],
  ['tif', 'tiff'],
]);

/** The media type of a file by the extension of its name. */
export function typeOfFileName(name: string): string | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const usual = otherExtensions.get(extension) ?? extension;
  return Object.keys(extensions).find((type) => extensions[type] === usual);
}

/** Where the container says that the picture is animated: in the flags of the chunk VP8X (WebP Container Specification). */
const animation = { byte: 20, bit: 0b10 };

/** Whether these bytes begin a WebP picture that does not move. Anything that is not WebP is left to the upstream. */
export function isStillWebp(bytes: Uint8Array): boolean {
  const text = (begin: number) => Buffer.from(bytes.subarray(begin, begin + 4)).toString('latin1');
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP') return false;
  return text(12) !== 'VP8X' || ((bytes[animation.byte] ?? 0) & animation.bit) === 0;
}
