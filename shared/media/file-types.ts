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

/** `type/subtype` with parameters, whose values are tokens or quoted strings (RFC 9110 §8.3.1), in printable ASCII. */
const mediaType = /^[ \t]*([\w.+-]+\/[\w.+-]+)((?:[ \t]*;[ \t]*[\w.+-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*)[ \t]*$/;

const maxTypeLength = 200;

/** The parts of a media type, if it is valid. */
export function parseMediaType(text: string): { essence: string; parameters: string } | undefined {
  const [, type, parameters = ''] = (text.length <= maxTypeLength && mediaType.exec(text)) || [];
  return type === undefined ? undefined : { essence: type.toLowerCase(), parameters };
}
