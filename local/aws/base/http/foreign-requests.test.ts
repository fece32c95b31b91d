import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSigners } from '#support/aws/aws-credentials.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { startS3 } from '../../s3/server.ts';
import { startSecretsManager } from '../../secrets-manager/server.ts';
import { startSqs } from '../../sqs/server.ts';

let folder: string;
const urls: Record<string, string> = {};
const close: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  const [table, sqs, secrets, s3] = await Promise.all([
    startTestTable(),
    startSqs({ signers: testSigners }),
    startSecretsManager({ signers: testSigners }),
    startS3({ dataDir: folder, buckets: ['bucket'], signers: testSigners }),
  ]);
  Object.assign(urls, { DynamoDB: table.endpoint, SQS: sqs.url, 'Secrets Manager': secrets.url, S3: s3.url });
  close.push(table.close, sqs.close, secrets.close, s3.close);
});
afterAll(async () => {
  for (const one of close) await one();
  await rm(folder, { recursive: true });
});

async function send(service: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; headers: object; body: string }>();
  const sent = request(urls[service] ?? '', { method: 'POST', headers: { ...headers, 'content-length': 2 } });
  sent.on('error', reject).on('response', async (response) => {
    const { statusCode: status, headers: received } = response;
    resolve({ ...(status && { status }), headers: received, body: await text(response) });
  });
  sent.end('{}');
  return promise;
}

describe.each(['DynamoDB', 'SQS', 'Secrets Manager', 'S3'])('the local %s', (service) => {
  it('does not respond to a web page, and no browser shows the page what it says', async () => {
    const { status, headers } = await send(service, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('does not respond under a host name that somebody made lead to this machine', async () => {
    const { status, body } = await send(service, { host: 'evil.example' });
    expect([403, 421]).toContain(status);
    expect(body).toContain('evil.example');
  });
});
