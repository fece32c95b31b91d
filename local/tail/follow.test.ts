import { expect, it } from 'vitest';
import { eventData } from './follow.ts';

it('server-sent events are read whole, however they are cut into pieces', async () => {
  const bytes = Buffer.from('retry: 1000\n\ndata: {"a":"ü"}\n\n:\n\ndata: {"b":1}\n\n');
  const pieces = async function* () {
    for (const byte of bytes) yield new Uint8Array([byte]);
  };
  expect(await Array.fromAsync(eventData(pieces()))).toEqual(['{"a":"ü"}', '{"b":1}']);
});
