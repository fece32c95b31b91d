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

/** Names of types that the upstream takes only under the other name. The bytes are right. */
const properNames: Readonly<Record<string, string>> = {
  'application/csv': 'text/plain',
  'application/excel': 'application/vnd.ms-excel',
  'application/mp4': 'video/mp4',
  'application/ogg': 'audio/ogg; codecs=opus',
  'application/powerpoint': 'application/vnd.ms-powerpoint',
  'application/vnd.ms-word': 'application/msword',
  'application/word': 'application/msword',
  'application/x-excel': 'application/vnd.ms-excel',
  'application/x-msexcel': 'application/vnd.ms-excel',
  'application/x-mspowerpoint': 'application/vnd.ms-powerpoint',
  'application/x-msword': 'application/msword',
  'application/x-pdf': 'application/pdf',
  'audio/aacp': 'audio/aac',
  'audio/m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
  'audio/mpg': 'audio/mpeg',
  'audio/opus': 'audio/ogg; codecs=opus',
  'audio/x-aac': 'audio/aac',
  'audio/x-amr': 'audio/amr',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-mp3': 'audio/mpeg',
  'audio/x-mpeg': 'audio/mpeg',
  'audio/x-mpeg-3': 'audio/mpeg',
  'audio/x-ogg': 'audio/ogg; codecs=opus',
  'audio/x-opus+ogg': 'audio/ogg; codecs=opus',
  'image/jpe': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'text/csv': 'text/plain',
  'text/markdown': 'text/plain',
  'text/txt': 'text/plain',
  'video/3gp': 'video/3gpp',
  'video/m4v': 'video/mp4',
  'video/x-m4v': 'video/mp4',
};

/** Formats that the upstream does not take, with one to convert the file to. */
const otherFormats: Readonly<Record<string, string>> = {
  'audio/caf': 'audio/mp4',
  'audio/flac': 'audio/mpeg',
  'audio/vnd.wave': 'audio/mpeg',
  'audio/wav': 'audio/mpeg',
  'audio/wave': 'audio/mpeg',
  'audio/webm': 'audio/ogg; codecs=opus',
  'audio/x-caf': 'audio/mp4',
  'audio/x-flac': 'audio/mpeg',
  'audio/x-wav': 'audio/mpeg',
  'image/avif': 'image/jpeg',
  'image/bmp': 'image/png',
  'image/gif': 'image/png',
  'image/heic': 'image/jpeg',
  'image/heif': 'image/jpeg',
  'image/svg+xml': 'image/png',
  'image/tiff': 'image/png',
  'video/avi': 'video/mp4',
  'video/mkv': 'video/mp4',
  'video/mpeg': 'video/mp4',
  'video/quicktime': 'video/mp4',
  'video/webm': 'video/mp4',
  'video/x-matroska': 'video/mp4',
  'video/x-msvideo': 'video/mp4',
};

/** What to do with a file of a type that the upstream does not take: name its type properly, or convert it. */
export function adviceFor(
  essence: string,
): { rule: 'file_type_name' | 'file_type_format'; instead: string } | undefined {
  const name = own(properNames, essence);
  if (name !== undefined) return { rule: 'file_type_name', instead: name };
  const format = own(otherFormats, essence);
  return format === undefined ? undefined : { rule: 'file_type_format', instead: format };
}

const own = (table: Readonly<Record<string, string>>, key: string) =>
  Object.hasOwn(table, key) ? table[key] : undefined;
