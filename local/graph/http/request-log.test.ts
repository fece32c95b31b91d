import { describe, expect, it } from 'vitest';
import { GraphError } from './graph-errors.ts';
import { jsonResponse } from './http.ts';
import { UploadedFile } from './params.ts';
import { shownBody, shownParams, shownQuery } from './request-log.ts';

describe('a request that the console shows', () => {
  it('leaves the values of credentials out of a query', () => {
    const url = new URL('http://localhost/v25.0/debug_token?input_token=secret-1&fields=id&access_token=secret-2');
    expect(decodeURIComponent(shownQuery(url))).toBe('?input_token=…&fields=id&access_token=…');
    expect(shownQuery(new URL('http://localhost/v25.0/1'))).toBe('');
  });

  it('leaves the values of credentials out of parameters, and shows a file as its type and size', () => {
    const params = new Map<string, unknown>([
      ['pin', '123456'],
      ['verify_token', 'secret'],
      ['client_secret', 'secret'],
      ['appsecret_proof', 'secret'],
      ['to', '15550100999'],
      ['file', new UploadedFile(new Uint8Array(3), 'image/png')],
    ]);
    expect(shownParams(params)).toEqual({
      pin: '…',
      verify_token: '…',
      client_secret: '…',
      appsecret_proof: '…',
      to: '15550100999',
      file: { type: 'image/png', bytes: 3 },
    });
  });

  it('shows no parameters that could not be read', () => {
    expect(shownParams(new GraphError('body_too_large'))).toBeNull();
  });

  it('shows the body of a response as JSON or as a text', () => {
    expect(shownBody(jsonResponse(200, { id: '1' }))).toEqual({ id: '1' });
    expect(shownBody({ status: 502, headers: {}, body: '<html>' })).toBe('<html>');
  });
});
