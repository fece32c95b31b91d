/**
 * The media types under which a file is handed out, each with the extension of its name: pictures, sound, video and
 * documents that no browser runs. Everything else, pages, vector graphics and scripts above all, goes out as bytes.
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

const anyBytes = { contentType: 'application/octet-stream', extension: 'bin' };

/** `type/subtype` and its parameters, their values tokens or quoted (RFC 9110 §8.3.1), of printable ASCII only. */
const mediaType = /^([\w.+-]+\/[\w.+-]+)((?:[ \t]*;[ \t]*[\w.+-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*)[ \t]*$/;

/** As what a file of this media type is handed out, with its parameters whole (`audio/ogg; codecs=opus`). */
export function safeMediaType(declared: string | undefined): { contentType: string; extension: string } {
  const [, type = '', parameters = ''] = mediaType.exec((declared ?? '').slice(0, 200)) ?? [];
  const essence = type.toLowerCase();
  const extension = Object.hasOwn(extensions, essence) ? extensions[essence] : undefined;
  return extension === undefined ? anyBytes : { contentType: essence + parameters, extension };
}

/** Always to be saved, never shown; the name is of the id, so it is ASCII without quotation marks (RFC 6266). */
export function contentDisposition(id: string, extension: string): string {
  return `attachment; filename="${id}.${extension}"`;
}
