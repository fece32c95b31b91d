import { describe, expect, it } from 'vitest';
import { type Credentials, sha256Hex, verifySignature } from './signature-v4.ts';

const ofS3: Credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const ofTheSuite: Credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const nothing = sha256Hex('');

function verify(
  {
    url = '/',
    method = 'GET',
    lines = {},
    payloadHash = nothing,
  }: {
    url?: string;
    method?: string;
    lines?: Record<string, string>;
    payloadHash?: string;
  },
  { service, credentials, at }: { service: string; credentials: Credentials; at: string },
) {
  const headers = Object.fromEntries(Object.entries(lines).map(([name, value]) => [name.toLowerCase(), value]));
  return verifySignature(
    { method, url, headers },
    payloadHash,
    { service, region: 'us-east-1', windowMinutes: 15 },
    {
      credentialsOf: (id) => (id === credentials.accessKeyId ? credentials : undefined),
      now: () => Date.parse(at),
    },
  );
}

/** With requests and signatures that AWS has published. */
describe('a signature', () => {
  const s3 = { service: 's3', credentials: ofS3, at: '2013-05-24T00:00:00Z' };
  const scope = `${ofS3.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const lines = {
    Host: 'examplebucket.s3.amazonaws.com',
    Range: 'bytes=0-9',
    'x-amz-content-sha256': nothing,
    'x-amz-date': '20130524T000000Z',
    Authorization:
      `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,` +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  };

  it("in a header is right: S3's example of an object", async () => {
    expect(await verify({ url: '/test.txt', lines }, s3)).toBe(ofS3.accessKeyId);
    await expect(verify({ url: '/test.txt', method: 'PUT', lines }, s3)).rejects.toMatchObject({ fault: 'different' });
  });

  it("with a query is right: S3's example of a list", async () => {
    const { Range: _, ...others } = lines;
    const Authorization =
      `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=host;x-amz-content-sha256;x-amz-date,` +
      'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7';
    const request = { url: '/?max-keys=2&prefix=J', lines: { ...others, Authorization } };
    expect(await verify(request, s3)).toBe(ofS3.accessKeyId);
    await expect(verify({ ...request, url: '/?prefix=J' }, s3)).rejects.toMatchObject({
      fault: 'different',
    });
  });

  it("in a query is right: S3's example of a presigned URL", async () => {
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': scope,
      'X-Amz-Date': '20130524T000000Z',
      'X-Amz-Expires': '86400',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    });
    const request = { url: `/test.txt?${query}`, payloadHash: 'UNSIGNED-PAYLOAD', lines: { Host: lines.Host } };
    expect(await verify(request, { ...s3, at: '2013-05-24T23:59:59Z' })).toBe(ofS3.accessKeyId);
    await expect(verify(request, { ...s3, at: '2013-05-25T00:00:00Z' })).rejects.toMatchObject({ fault: 'wrong time' });
  });

  it("for another service is right: get-vanilla of AWS's test suite", async () => {
    const suite = { service: 'service', credentials: ofTheSuite, at: '2015-08-30T12:36:00Z' };
    const vanilla = {
      Host: 'example.amazonaws.com',
      'X-Amz-Date': '20150830T123600Z',
      Authorization:
        `AWS4-HMAC-SHA256 Credential=${ofTheSuite.accessKeyId}/20150830/us-east-1/service/aws4_request, ` +
        'SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    };
    expect(await verify({ lines: vanilla }, suite)).toBe(ofTheSuite.accessKeyId);
  });
});

describe('what is not a signature', () => {
  const at = '2026-01-31T12:00:00Z';
  const of = (credential: string, others: Record<string, string> = {}) => ({
    Host: 'example.amazonaws.com',
    'X-Amz-Date': '20260131T120000Z',
    Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=00`,
    ...others,
  });
  const { 'X-Amz-Date': _, ...withoutDate } = of('AKIDEXAMPLE/20260131/us-east-1/sqs/aws4_request');

  it.each<[string, Record<string, string>]>([
    ['a credential without its scope', of('AKIDEXAMPLE')],
    ['a credential without an id', of('/20260131/us-east-1/sqs/aws4_request')],
    ['another algorithm', of('x', { Authorization: 'AWS3 Credential=x' })],
    ['no time', withoutDate],
    ['another terminator', of('AKIDEXAMPLE/20260131/us-east-1/sqs/aws3_request')],
    ['another region', of('AKIDEXAMPLE/20260131/us-west-2/sqs/aws4_request')],
    ['another day', of('AKIDEXAMPLE/20260130/us-east-1/sqs/aws4_request')],
  ])('is rejected: %s', async (_case, lines) => {
    await expect(verify({ lines }, { service: 'sqs', credentials: ofTheSuite, at })).rejects.toMatchObject({
      fault: 'malformed',
    });
  });
});
