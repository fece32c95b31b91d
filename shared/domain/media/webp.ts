/** Where the container says that the picture is animated: in the flags of the chunk VP8X (WebP Container Specification). */
const animation = { byte: 20, bit: 0b10 };

/** Whether these bytes begin a WebP picture that does not move. Anything that is not WebP is left to the upstream. */
export function isStillWebp(bytes: Uint8Array): boolean {
  const text = (begin: number) => Buffer.from(bytes.subarray(begin, begin + 4)).toString('latin1');
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP') return false;
  return text(12) !== 'VP8X' || ((bytes[animation.byte] ?? 0) & animation.bit) === 0;
}
