import { expect, it } from 'vitest';
import { parseExactJson } from '#shared/base/json.ts';
import { metaBody } from './meta-format.ts';

it('puts a change into the envelope of Meta, and keeps what its entry says besides', () => {
  const entry = { id: '1', time: 2, changes: [{ field: 'calls' }, { field: 'messages' }] };
  expect(metaBody({ entry, field: 'messages', value: { a: 1 } })).toBe(
    '{"object":"whatsapp_business_account","entry":[{"id":"1","time":2,"changes":[{"field":"messages","value":{"a":1}}]}]}',
  );
});

it('writes ASCII, everything else as escapes in lower case', () => {
  const value = parseExactJson('{"text":"äöå ✓ 👍 / < @ \\u0007 \\ud83d","digits":1.0}');
  const body = metaBody({ entry: {}, field: 'x', value });
  expect(body).toContain('{"text":"\\u00e4\\u00f6\\u00e5 \\u2713 \\ud83d\\udc4d / < @ \\u0007 \\ud83d","digits":1.0}');
  expect(JSON.parse(body ?? '').entry[0].changes[0].value.text).toBe('äöå ✓ 👍 / < @ \u0007 \ud83d');
});

it('gives up on a value that nests too deep', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(metaBody({ entry: {}, field: 'x', value: deep })).toBeUndefined();
});
