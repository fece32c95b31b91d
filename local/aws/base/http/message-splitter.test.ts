import { describe, expect, it } from 'vitest';
import { MessageSplitter } from './message-splitter.ts';

const first = 'POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 10\r\n\r\n{"a":"ü"}';
const second = 'GET /x HTTP/1.1\r\nHost: b\r\n\r\n';
const third = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

const texts = (splitter: MessageSplitter, chunk: Buffer) =>
  splitter.push(chunk).map(({ head, body }) => `${head}\r\n\r\n${body}`);

describe('MessageSplitter', () => {
  it('finds the messages wherever the chunks begin and end', () => {
    const sent = Buffer.from(first + second + third);
    for (let size = 1; size <= sent.length; size++) {
      const splitter = new MessageSplitter();
      const found: string[] = [];
      for (let at = 0; at < sent.length; at += size) found.push(...texts(splitter, sent.subarray(at, at + size)));
      expect(found).toEqual([first, second, third]);
    }
  });

  it('rejects a body without a length', () => {
    const chunked = Buffer.from('POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    expect(() => new MessageSplitter().push(chunked)).toThrow('Content-Length');
  });
});
