import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSecret, signatureHeaders } from './webhook-signature.ts';

/** The example of the Standard Webhooks specification. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const timestamp = Math.floor(Date.now() / 1000);
const bodies = ['{"test": 2432232314}', '', '{"text":"Olá 👋 \\u00e9"}', '{"a":1}\n', 'no JSON'];

describe('signatureHeaders', () => {
  it('returns the signature of the specification', () => {
    const { id, timestamp, body, secret, signature } = vector;
    const headers = { 'webhook-id': id, 'webhook-timestamp': '1614265330', 'webhook-signature': signature };
    expect(signatureHeaders({ id, timestamp, body, secrets: [secret] })).toEqual(headers);
    expect(signatureHeaders({ id, timestamp, body: Buffer.from(body), secrets: [secret] })).toEqual(headers);
    expect(signatureHeaders({ id, timestamp, body, secrets: [secret.slice('whsec_'.length)] })).toEqual(headers);
  });

  it.each(bodies)('is compatible with the reference library in both directions: %j', (body) => {
    const secret = createSecret();
    const library = new Webhook(secret);
    for (const sent of [body, Buffer.from(body)]) {
      const headers = signatureHeaders({ id: 'd1', timestamp, body: sent, secrets: [secret] });
      expect(() => library.verify(body, { ...headers }, { jsonParse: false })).not.toThrow();
      expect(headers['webhook-signature']).toBe(library.sign('d1', new Date(timestamp * 1000), body));
    }
  });

  it('signs bytes, even if they are not text', () => {
    const signatureOf = (byte: number) =>
      signatureHeaders({ id: 'd1', timestamp, body: Buffer.of(byte), secrets: [vector.secret] })['webhook-signature'];
    expect(signatureOf(0xff)).not.toBe(signatureOf(0xfe));
  });

  it('signs with the new and the old secret during a rotation, the new one first', () => {
    const [next, previous, stranger] = [createSecret(), createSecret(), createSecret()];
    const headers = { ...signatureHeaders({ id: 'd1', timestamp, body: '{}', secrets: [next, previous] }) };
    expect(new Webhook(next).verify('{}', headers)).toEqual({});
    expect(new Webhook(previous).verify('{}', headers)).toEqual({});
    expect(() => new Webhook(stranger).verify('{}', headers)).toThrow(WebhookVerificationError);
    const [first] = headers['webhook-signature'].split(' ');
    expect(first).toBe(signatureHeaders({ id: 'd1', timestamp, body: '{}', secrets: [next] })['webhook-signature']);
  });

  it('is valid only for this body, this id and this time', () => {
    const secret = createSecret();
    const library = new Webhook(secret);
    const headers = { ...signatureHeaders({ id: 'd1', timestamp, body: '{}', secrets: [secret] }) };
    expect(() => library.verify('{} ', headers)).toThrow('No matching signature');
    expect(() => library.verify('{}', { ...headers, 'webhook-id': 'd2' })).toThrow('No matching signature');
    const later = { ...headers, 'webhook-timestamp': String(timestamp + 1) };
    expect(() => library.verify('{}', later)).toThrow('No matching signature');
  });

  it('never leaves a webhook unsigned, or signed with an empty secret', () => {
    const content = { id: 'd1', timestamp, body: '{}' };
    expect(() => signatureHeaders({ ...content, secrets: [] })).toThrow('needs a secret');
    expect(() => signatureHeaders({ ...content, secrets: ['whsec_'] })).toThrow('is empty');
  });
});

describe('createSecret', () => {
  it('returns 32 random bytes in base64', () => {
    const secrets = Array.from({ length: 20 }, createSecret);
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64').length).toBe(32);
    }
  });
});
