import { describe, expect, it } from 'vitest';
import { referenceHeaders } from '#shared/webhooks/receiver-headers.ts';

describe('the reference of an exchange', () => {
  it('names the Flow, the message and the contact', () => {
    expect(referenceHeaders({ flow: 'flow', message: 'wamid.HBg=', contact: 'US.13491208655302741918' })).toEqual({
      'x-flow-id': 'flow',
      'x-message-id': 'wamid.HBg=',
      'x-contact': 'US.13491208655302741918',
    });
  });

  it('has no header for a message whose id is unknown, and none that HTTP could misread', () => {
    for (const contact of ['a\r\nx-admin: 1', 'é', '', 'a b', 'x'.repeat(513)]) {
      expect(referenceHeaders({ flow: 'flow', contact })).toEqual({ 'x-flow-id': 'flow' });
    }
    expect(referenceHeaders(undefined)).toEqual({});
  });
});
