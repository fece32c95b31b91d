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
