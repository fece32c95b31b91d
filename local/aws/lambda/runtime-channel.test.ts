import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readRuntime, sendEvent } from './runtime-channel.ts';

const message = (kind: string, payload = '') => {
  const bytes = Buffer.from(`....${kind}${payload}`);
  bytes.writeUInt32BE(Buffer.byteLength(payload));
  return bytes;
};

/** What a listener hears of these chunks, with payloads of up to four bytes. */
function hear(chunks: readonly Buffer[]): string[] {
  const heard: string[] = [];
  const channel = new PassThrough();
  readRuntime(channel, 4, {
    ready: () => heard.push('ready'),
    responded: (payload) => heard.push(`responded ${payload}`),
    failed: (payload) => heard.push(`failed ${payload}`),
    responseTooLarge: () => heard.push('too large'),
    crashed: (payload) => heard.push(`crashed ${payload}`),
  });
  for (const chunk of chunks) channel.emit('data', chunk);
  return heard;
}

const messages = Buffer.concat([
  message('N'),
  message('R', '"ü"'),
  message('E', '{}'),
  message('R', '"123"'),
  message('C', '{"a":"b"}'),
]);
const heard = ['ready', 'responded "ü"', 'failed {}', 'too large', 'crashed {"a":"b"}'];

it('the messages of a runtime may come together', () => {
  expect(hear([messages])).toEqual(heard);
});

it.each([1, 2, 3, 7])('the messages of a runtime may come in chunks of %d bytes', (size) => {
  const starts = Array.from({ length: Math.ceil(messages.length / size) }, (_, index) => index * size);
  expect(hear(starts.map((start) => messages.subarray(start, start + size)))).toEqual(heard);
});

it('an event is sent after its length in bytes, with its request id and deadline', () => {
  const channel = new PassThrough();
  sendEvent(channel, 'id', 5, '{"a":"ü"}');
  const sent: Buffer = channel.read();
  expect(sent.readUInt32BE(0)).toBe(sent.length - 4);
  expect(JSON.parse(sent.toString('utf8', 4))).toEqual(['id', 5, { a: 'ü' }]);
});
