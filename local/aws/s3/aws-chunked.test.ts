import { describe, expect, it } from 'vitest';
import { decodeAwsChunked } from './aws-chunked.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function decode(text: string, size = text.length) {
  const trailers: Record<string, string> = {};
  const parts: Buffer[] = [];
  const source = pieces(text, size);
  for await (const part of decodeAwsChunked(source, (name, value) => Object.assign(trailers, { [name]: value }))) {
    parts.push(part);
  }
  return { body: Buffer.concat(parts).toString(), trailers };
}

const encoded = '5;chunk-signature=abc\r\nhello\r\n7\r\n\r\n wör\r\n0\r\nX-Amz-Checksum-CRC32: abc=\r\n\r\n';

describe('decodeAwsChunked', () => {
  it.each([1, 2, 3, 7, 1000])('returns body and trailers, %i bytes at a time', async (size) => {
    expect(await decode(encoded, size)).toEqual({
      body: 'hello\r\n wör',
      trailers: { 'x-amz-checksum-crc32': 'abc=' },
    });
  });

  it('accepts an empty body, and one without trailers', async () => {
    expect(await decode('0\r\n\r\n')).toEqual({ body: '', trailers: {} });
    expect(await decode('1\r\na\r\n0\r\n')).toEqual({ body: 'a', trailers: {} });
  });

  it.each([
    ['the start', ''],
    ['a size', '5'],
    ['a chunk', '5\r\nhel'],
    ['the end of a chunk', '5\r\nhello'],
    ['two chunks', '5\r\nhello\r\n'],
  ])('detects an end within %s', async (_, text) => {
    await expect(decode(text)).rejects.toMatchObject({ code: 'IncompleteBody' });
  });

  it.each([
    ['a size that is not a number', 'xyz\r\n'],
    ['a chunk longer than its size', '2\r\nhello\r\n'],
    ['an endless size', '1'.repeat(20_000)],
  ])('rejects a body with %s', async (_, text) => {
    await expect(decode(text, 100)).rejects.toMatchObject({ code: 'InvalidRequest' });
  });
});
