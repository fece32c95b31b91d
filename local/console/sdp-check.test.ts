import { expect, it } from 'vitest';
import { sdpOf } from '#support/sdp.ts';
import { checkSdp } from './sdp-check.ts';

it('finds in an offer what the service finds beside the SDP of the connection', () => {
  const sdp = sdpOf('offer');
  const namesWith = (connection: string) => checkSdp({ sdp, type: 'offer', connection }).map(({ name }) => name);
  expect(namesWith(sdp)).toEqual([]);
  expect(namesWith(`${sdp}a=x\r\n`)).toContain('connection-sdp-differs');
});
