/** An HTTP request or response as it was sent. */
export interface RawMessage {
  /** The first line and the headers, without the empty line. */
  readonly head: string;
  readonly body: Buffer;
  /** The whole message. */
  readonly bytes: Buffer;
}

const endOfHead = '\r\n\r\n';

/**
 * Splits what comes over a connection into requests or responses. It understands as much of HTTP as AWS's JSON
 * protocols use: bodies have a `Content-Length`.
 */
export class MessageSplitter {
  #unread: Buffer[] = [];
  #bytes = 0;
  /** With fewer bytes there is no use in another look. */
  #needed = 1;

  /** Returns the messages that the chunk completes. Throws for a body without a length. */
  push(chunk: Buffer): RawMessage[] {
    this.#unread.push(chunk);
    this.#bytes += chunk.length;
    const messages: RawMessage[] = [];
    while (this.#bytes >= this.#needed) {
      const message = this.#shift();
      if (message) messages.push(message);
    }
    return messages;
  }

  #shift(): RawMessage | undefined {
    const all = this.#unread.length === 1 && this.#unread[0] ? this.#unread[0] : Buffer.concat(this.#unread);
    const headLength = all.indexOf(endOfHead);
    if (headLength < 0) return this.#keep(all, all.length + 1);
    const head = all.toString('latin1', 0, headLength);
    const start = headLength + endOfHead.length;
    const end = start + bodyLength(head);
    if (all.length < end) return this.#keep(all, end);
    this.#keep(all.subarray(end), 1);
    return { head, body: all.subarray(start, end), bytes: all.subarray(0, end) };
  }

  #keep(unread: Buffer, needed: number): undefined {
    this.#unread = [unread];
    this.#bytes = unread.length;
    this.#needed = needed;
  }
}

/** The value of a header, found by a pattern like `/^host: *(.*)$/im`. */
export const headerOf = ({ head }: RawMessage, pattern: RegExp): string => pattern.exec(head)?.[1]?.trim() ?? '';

function bodyLength(head: string): number {
  if (/^transfer-encoding:/im.test(head)) throw new Error('A body needs a Content-Length here');
  return Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}
