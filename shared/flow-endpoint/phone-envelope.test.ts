import { expect, it } from 'vitest';
import { createEndpointOwner } from '#support/flows/flow-phone.ts';
import { sealRequest } from './envelope.ts';

it('an endpoint of the published scheme can read the envelope of the simulated phone and respond to it', async () => {
  const owner = await createEndpointOwner();
  const sealed = sealRequest('{"action":"ping"}', owner.publicKey);
  const { request, seal } = await owner.open(Buffer.from(sealed.body));
  expect(request).toEqual({ action: 'ping' });
  expect(JSON.parse(sealed.open(await seal({ data: { status: 'active' } })).toString())).toEqual({
    data: { status: 'active' },
  });
  expect(() => sealed.open('AAAA')).toThrow();
});
