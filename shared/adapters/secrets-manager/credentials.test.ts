import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '#shared/base/time/clock.ts';
import { appSecrets, freshMs, passesWith } from '#shared/domain/access/upstream-credentials.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { secretsManager } from './client.ts';
import { accessTokenFrom, credentialsReader } from './credentials.ts';

/** The secret that Secrets Manager returns. */
let secret: { SecretString?: string };
let server: TestServer;

beforeAll(async () => {
  server = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(secret));
  });
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

const readerAt = (now: Clock) => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = secretsManager({ endpoint: server.url, region: 'us-east-1', credentials });
  return credentialsReader('messaging/test/upstream', now, client);
};

describe('credentialsReader', () => {
  it('reads the secret by its id and caches it for minutes', async () => {
    let time = 0;
    const read = readerAt(() => time);
    secret = { SecretString: '{"access_token":"EAAone","app_secret":"s"}' };
    expect((await read()).access_token).toBe('EAAone');
    expect(server.requests[0]?.body).toBe('{"SecretId":"messaging/test/upstream"}');

    secret = { SecretString: '{"access_token":"EAAtwo"}' };
    expect((await read()).access_token).toBe('EAAone');
    time = 10 * 60_000;
    expect((await read()).access_token).toBe('EAAtwo');
    expect(server.requests).toHaveLength(2);
  });

  it('reads the secret again before it causes a rejection, at most every few seconds', async () => {
    let time = 0;
    const read = readerAt(() => time);
    const signedWith = (secret: string) => passesWith(read, (credentials) => appSecrets(credentials).includes(secret));
    secret = { SecretString: '{"access_token":"EAAone","app_secret":"old"}' };
    expect(await signedWith('old')).toBe(true);
    time = 60_000;
    secret = { SecretString: '{"access_token":"EAAtwo","app_secret":"new"}' };
    expect(await signedWith('old')).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(await signedWith('new')).toBe(true);
    for (let count = 0; count < 100; count++) expect(await signedWith('forged')).toBe(false);
    expect(server.requests).toHaveLength(2);
    time += freshMs;
    expect(await signedWith('forged')).toBe(false);
    expect(server.requests).toHaveLength(3);
  });

  it('finds an access token as soon as the operator has stored one', async () => {
    let time = 0;
    const accessToken = accessTokenFrom(readerAt(() => time));
    secret = { SecretString: '{"access_token":""}' };
    await expect(accessToken()).rejects.toThrow('no access token');
    secret = { SecretString: '{"access_token":"EAAone"}' };
    time = freshMs;
    expect(await accessToken()).toBe('EAAone');
  });

  it.each([
    undefined,
    '',
    'EAAsecret',
    '{"app_secret":"EAAsecret"}',
    '{"access_token":5,"app_secret":"EAAsecret"}',
    '[]',
  ])('reports that the secret is malformed, without its contents: %j', async (text) => {
    secret = text === undefined ? {} : { SecretString: text };
    const error = await readerAt(() => 0)().catch((failure: Error) => failure);
    expect(error).toMatchObject({ message: expect.stringContaining('messaging/test/upstream') });
    expect(JSON.stringify(error, ['message', 'stack', 'cause'])).not.toContain('EAAsecret');
  });
});
