import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestSigner } from './signature.ts';

/** The hash that the SDK's signer is given: with a key it is an HMAC. */
class Sha256 {
  readonly #hash;
  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const request = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
  secretAccessKey: fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
  sessionToken: fc.option(fc.stringMatching(/^[\w+/=]{1,40}$/), { nil: undefined }),
  region: fc.constantFrom('eu-west-1', 'cn-north-1'),
  service: fc.constantFrom('dynamodb', 'sqs', 'secretsmanager'),
  endpoint: fc.constantFrom('https://dynamodb.eu-west-1.amazonaws.com', 'http://127.0.0.1:4566', 'https://proxy/aws/'),
  body: fc.string({ unit: 'grapheme' }),
  time: fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2099-12-31') }),
});

describe('a signature', () => {
  it('is that of the signer of the SDK', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ sessionToken, region, service, endpoint, body, time, ...keys }) => {
        const credentials = { ...keys, ...(sessionToken && { sessionToken }) };
        const url = new URL(endpoint);
        const contentType = 'application/x-amz-json-1.0';
        const sign = requestSigner({ url, service, region, contentType });
        const theirs = new SignatureV4({ credentials, region, service, sha256: Sha256, applyChecksum: false });
        const { headers } = await theirs.sign(
          {
            method: 'POST',
            protocol: url.protocol,
            hostname: url.hostname,
            path: url.pathname,
            headers: { 'content-type': contentType, host: url.host, 'x-amz-target': 'Service.Operation' },
            body,
          },
          { signingDate: time },
        );
        const ours = sign(credentials, 'Service.Operation', body, time);
        expect(Object.fromEntries(pairs(ours))).toEqual(headers);
      }),
    );
  });

  it('follows the credentials and the day', () => {
    const url = new URL('http://localhost');
    const one = requestSigner({ url, service: 'sqs', region: 'eu-west-1', contentType: 'text' });
    const fresh = () => requestSigner({ url, service: 'sqs', region: 'eu-west-1', contentType: 'text' });
    const [day, nextDay] = [new Date('2026-11-22T23:59:59Z'), new Date('2026-11-23T00:00:00Z')];
    const [mine, yours] = ['a', 'b'].map((secretAccessKey) => ({ accessKeyId: 'AKID', secretAccessKey }));
    for (const [credentials, time] of [
      [mine, day],
      [yours, day],
      [yours, nextDay],
      [mine, day],
    ] as const) {
      if (credentials) expect(one(credentials, 'T', '', time)).toEqual(fresh()(credentials, 'T', '', time));
    }
  });
});

const pairs = (list: readonly string[]) =>
  list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]] as const] : []));
