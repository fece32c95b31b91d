import { describe, expect, it } from 'vitest';
import { decodedText, excerptOf } from './response-excerpt.ts';

describe('the excerpt of a response in a charset of its own', () => {
  const headers = { 'x-key': 's3cr3t-key' };
  const excerpt = (contentType: string, bytes: Buffer) => excerptOf({ body: bytes, contentType }, 500, { headers });

  it.each([
    ['iso-8859-1', Buffer.from('não: s3cr3t-key', 'latin1'), 'não: ***'],
    ['utf-16le', Buffer.from('não: s3cr3t-key', 'utf16le'), 'não: ***'],
    ['utf-16le', Buffer.from('not UTF-16: s3cr3t-key'), 'not UTF-16: ***'],
  ])('shows no header of the receiver (%s)', (charset, bytes, text) => {
    expect(excerpt(`text/plain; charset=${charset}`, bytes)).toBe(text);
  });
});

it.each([
  ['text/plain; charset=iso-8859-1', '66616c6861 20 e7e36f', 'falha ção'],
  ['text/plain;CHARSET = "Windows-1252"; x=y', '93 78 94', '“x”'],
  ['text/plain; charset=utf-16le', '4100 e700', 'Aç'],
  ['text/plain; charset=utf-16', 'feff 0041', 'A'],
  ['text/html; charset=shift_jis', '93fa 967b', '日本'],
  ["text/plain; charset='iso-8859-1'", 'e7', 'ç'],
  ['text/plain; charset=iso-8859-1', 'efbbbf c3a7', 'ç'],
  ['text/plain; charset=unknown', 'c3a7', 'ç'],
  [undefined, 'c3a7 ff', 'ç\ufffd'],
])('%s: the bytes %s are %s', (contentType, bytes, text) => {
  expect(decodedText(Buffer.from(bytes.replaceAll(' ', ''), 'hex'), contentType, false)).toBe(text);
});

it.each([
  [undefined, 'e282'],
  ['text/plain; charset=utf-16le', '41'],
  ['text/plain; charset=shift_jis', '93'],
])('leaves out a character that the cut has split (%s)', (contentType, bytes) => {
  expect(decodedText(Buffer.from(bytes, 'hex'), contentType, true)).toBe('');
});
