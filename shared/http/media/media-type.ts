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

const anyBytes = { contentType: 'application/octet-stream', extension: 'bin' };

/** `type/subtype` with parameters, whose values are tokens or quoted strings (RFC 9110 §8.3.1), in printable ASCII. */
const mediaType = /^([\w.+-]+\/[\w.+-]+)((?:[ \t]*;[ \t]*[\w.+-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*)[ \t]*$/;

/** Returns the media type under which to serve a file; parameters stay (`audio/ogg; codecs=opus`). */
export function safeMediaType(declared: string | undefined): { contentType: string; extension: string } {
  const [, type = '', parameters = ''] = mediaType.exec((declared ?? '').slice(0, 200)) ?? [];
  const essence = type.toLowerCase();
  const extension = Object.hasOwn(extensions, essence) ? extensions[essence] : undefined;
  return extension === undefined ? anyBytes : { contentType: essence + parameters, extension };
}

/**
 * Makes browsers save the file instead of showing it. Its name is the id, so it is ASCII without quotation marks (RFC
 * 6266).
 */
export function contentDisposition(id: string, extension: string): string {
  return `attachment; filename="${id}.${extension}"`;
}
