import { AwsError } from '../base/aws-error.ts';

const lineEnd = '\r\n';
const maxLineBytes = 8192;

/**
 * Decodes an `aws-chunked` body, which the SDK uses for streams. The trailing headers go to `onTrailer` with their
 * names in lower case. Chunk signatures are ignored. Throws `AwsError` `IncompleteBody` or `InvalidRequest`.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Buffer> {
  const reader = new LineReader(source);
  for (;;) {
    const size = readSize(await reader.line());
    if (size === 0) break;
    yield* reader.bytes(size);
    if ((await reader.line()) !== '') throw new AwsError('InvalidRequest', 'A chunk is longer than its size says.');
  }
  for (let trailer = await reader.lastLine(); trailer; trailer = await reader.lastLine()) {
    const colon = trailer.indexOf(':');
    onTrailer(trailer.slice(0, colon).toLowerCase(), trailer.slice(colon + 1).trim());
  }
}

function readSize(line: string): number {
  const hex = /^([0-9a-f]{1,12})(;|$)/i.exec(line)?.[1];
  if (hex === undefined) throw new AwsError('InvalidRequest', 'The chunk size is not a hexadecimal number.');
  return Number.parseInt(hex, 16);
}

/** Reads lines and byte counts alternately from one stream. */
class LineReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #unread: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const line = await this.lastLine();
    if (line === undefined) throw incomplete();
    return line;
  }

  /** The next line, without its end; `undefined` when the stream ends here. */
  async lastLine(): Promise<string | undefined> {
    let end = this.#unread.indexOf(lineEnd);
    while (end < 0) {
      if (this.#unread.length > maxLineBytes) throw new AwsError('InvalidRequest', 'A chunk header is too long.');
      const chunk = await this.#next();
      if (chunk === undefined && this.#unread.length === 0) return undefined;
      if (chunk === undefined) throw incomplete();
      this.#unread = Buffer.concat([this.#unread, chunk]);
      end = this.#unread.indexOf(lineEnd);
    }
    const line = this.#unread.toString('latin1', 0, end);
    this.#unread = this.#unread.subarray(end + lineEnd.length);
    return line;
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.#unread.length === 0) {
        const chunk = await this.#next();
        if (chunk === undefined) throw incomplete();
        this.#unread = chunk;
      }
      const part = this.#unread.subarray(0, left);
      this.#unread = this.#unread.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    return done ? undefined : value;
  }
}

function incomplete(): AwsError {
  return new AwsError('IncompleteBody', 'The request body ended before its last chunk.');
}
