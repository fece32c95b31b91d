import { createPrivateKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEndpointOwner, type PhoneRequest, phoneRequest } from '#support/flows/flow-phone.ts';
import { openEnvelope, sealRequest } from './envelope.ts';
import type { FlowKey } from './flow-key-store.ts';
import { createFlowKey, publicKeyOf } from './flow-keys.ts';

let key: FlowKey;
let previous: FlowKey;

beforeAll(async () => {
  [key, previous] = await Promise.all([createFlowKey(1), createFlowKey(0)]);
});

const init = { version: '3.0', action: 'INIT', flow_token: 'töken' };
const answer = { screen: 'WELCOME', data: { greeting: 'Olá' } };

const open = (envelope: object, ...keys: FlowKey[]) =>
  openEnvelope(
    Buffer.from(JSON.stringify(envelope)),
    keys.map(({ private_key }) => createPrivateKey(private_key)),
  );

const seal = (request: PhoneRequest, content: object = answer) =>
  open(request.envelope, key)?.seal(Buffer.from(JSON.stringify(content))) ?? '';

describe('an envelope', () => {
  it('is decrypted byte for byte', async () => {
    const text = '{ "version":"3.0", "action" : "INIT", "x": "\\u00e7ç" }';
    const { envelope } = await phoneRequest(text, publicKeyOf(key));
    expect(open(envelope, key)?.clear.toString()).toBe(text);
  });

  it('gets its response under the inverted IV, so that the phone can read the response', async () => {
    const request = await phoneRequest(init, publicKeyOf(key));
    const sealed = seal(request);
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(await request.read(sealed)).toEqual(answer);
  });

  it('is decrypted with the previous key, too', async () => {
    const { envelope } = await phoneRequest(init, publicKeyOf(previous));
    expect(JSON.parse(String(open(envelope, key, previous)?.clear))).toEqual(init);
  });

  it('cannot be decrypted without its key', async () => {
    const { envelope } = await phoneRequest(init, publicKeyOf(previous));
    expect(open(envelope, key)).toBeUndefined();
    expect(open(envelope)).toBeUndefined();
  });

  it('cannot be decrypted if it is megabytes of possible base64', async () => {
    const { envelope } = await phoneRequest(init, publicKeyOf(key));
    for (const encrypted_flow_data of ['A'.repeat(8_000_000), `${'A'.repeat(7_999_999)}!`]) {
      expect(open({ ...envelope, encrypted_flow_data }, key)).toBeUndefined();
    }
  });

  it.each(['A', 'AA', 'AA=', 'A===', 'AAAAA', '=AAA', 'AA==AA==', 'AA-_', ' AAAA'])(
    'cannot be decrypted if it is not base64: %s',
    async (initial_vector) => {
      const { envelope } = await phoneRequest(init, publicKeyOf(key));
      expect(open({ ...envelope, initial_vector }, key)).toBeUndefined();
    },
  );

  it.each([
    ['an IV of 12 bytes', { ivBytes: 12 }],
    ['an IV of 17 bytes', { ivBytes: 17 }],
    ['an AES key of 32 bytes', { keyBytes: 32 }],
  ] as const)('cannot be decrypted with %s', async (_, sizes) => {
    const { envelope } = await phoneRequest(init, publicKeyOf(key), sizes);
    expect(open(envelope, key)).toBeUndefined();
  });

  const flipFirstByte = (text: string) => {
    const bytes = Buffer.from(text, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return bytes.toString('base64');
  };
  const tampered: [string, (text: string) => unknown][] = [
    ['a flipped bit', flipFirstByte],
    ['truncated base64', (text) => text.slice(0, -5)],
    ['a truncated value', (text) => Buffer.from(text, 'base64').subarray(0, -1).toString('base64')],
    ['url-safe base64', (text) => `-_${text.slice(2)}`],
    ['nothing', () => ''],
    ['no text', () => 7],
    ['no value', () => undefined],
  ];

  describe.each(['encrypted_flow_data', 'encrypted_aes_key', 'initial_vector'] as const)(
    'with a changed %s',
    (member) => {
      it.each(tampered)('cannot be decrypted if it has %s', async (_, tamper) => {
        const { envelope } = await phoneRequest(init, publicKeyOf(key));
        expect(open({ ...envelope, [member]: tamper(envelope[member]) }, key)).toBeUndefined();
      });
    },
  );

  it.each(['', 'no JSON', '[]', 'null', '"text"', '{}'])('cannot be read from %j', (text) => {
    expect(openEnvelope(Buffer.from(text), [createPrivateKey(key.private_key)])).toBeUndefined();
  });
});

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
