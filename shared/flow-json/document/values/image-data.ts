/** The image types that phones show, with the first characters of their base64 text. */
const imageTypes: readonly (readonly [start: string, type: string])[] = [
  ['/9j/', 'image/jpeg'],
  ['iVBORw0KGgo', 'image/png'],
  ['UklGR', 'image/webp'],
];
const dataUrlPrefix = /^data:image\/[\w.+-]+;base64,/;
const notBase64 = /[^A-Za-z0-9+/=]/;

/**
 * The `data:` URL of an image that Flow JSON holds as base64, with or without its own `data:` prefix. The type comes
 * from the first bytes, never from the prefix. Undefined if it is not an image.
 */
export function imageDataUrl(source: string): string | undefined {
  const base64 = source.slice(dataUrlPrefix.exec(source)?.[0].length ?? 0);
  const type = imageTypes.find(([start]) => base64.startsWith(start))?.[1];
  return type !== undefined && !notBase64.test(base64) ? `data:${type};base64,${base64}` : undefined;
}

/** The size in bytes of the data that a base64 text encodes. */
export function decodedSize(source: string): number {
  const base64 = source.length - (dataUrlPrefix.exec(source)?.[0].length ?? 0);
  return Math.floor((base64 * 3) / 4);
}
