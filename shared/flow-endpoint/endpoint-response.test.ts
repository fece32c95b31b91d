import { describe, expect, it } from 'vitest';
import { endpointResponse, type ServeFault } from './serve-request.ts';

describe('the response to a phone', () => {
  it('is that of the endpoint, as text if it is text', () => {
    const body = Buffer.from('c2VhbGVk');
    expect(endpointResponse({ relayed: true, status: 427, body })).toEqual({ status: 427, body: 'c2VhbGVk' });
    const bytes = Buffer.of(0xff, 0xfe);
    expect(endpointResponse({ relayed: true, status: 200, body: bytes, contentType: 'text/html' })).toEqual({
      status: 200,
      body: bytes,
      headers: { 'content-type': 'text/html' },
    });
  });

  it.each<[ServeFault, object]>([
    ['undecryptable', { status: 421, body: '' }],
    ['not-signed', { status: 432, body: '' }],
    ['timeout', { status: 504 }],
    ['connect-timeout', { status: 504 }],
    ['out-of-time', { status: 504 }],
    ['refused', { status: 502 }],
    ['not-json', { status: 502 }],
    ['invalid-flow-token', { status: 427, body: '' }],
  ])('has the status of the fault %s', (fault, response) => {
    expect(endpointResponse({ relayed: false, fault })).toEqual(response);
  });
});
