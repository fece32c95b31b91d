import { extensionOf } from '#shared/domain/media/extensions.ts';

const anyBytes = { contentType: 'application/octet-stream', extension: 'bin' };

/** `type/subtype` with parameters, whose values are tokens or quoted strings (RFC 9110 §8.3.1), in printable ASCII. */
const mediaType = /^([\w.+-]+\/[\w.+-]+)((?:[ \t]*;[ \t]*[\w.+-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*)[ \t]*$/;

/** Returns the media type under which to serve a file; parameters stay (`audio/ogg; codecs=opus`). */
export function safeMediaType(declared: string | undefined): { contentType: string; extension: string } {
  const [, type = '', parameters = ''] = mediaType.exec((declared ?? '').slice(0, 200)) ?? [];
  const essence = type.toLowerCase();
  const extension = extensionOf(essence);
  return extension === undefined ? anyBytes : { contentType: essence + parameters, extension };
}

/**
 * Makes browsers save the file instead of showing it. Its name is the id, so it is ASCII without quotation marks (RFC
 * 6266).
 */
export function contentDisposition(id: string, extension: string): string {
  return `attachment; filename="${id}.${extension}"`;
}
