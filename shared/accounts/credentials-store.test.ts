import { beforeEach, describe, expect, it } from 'vitest';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { newId } from '#shared/base/ids.ts';
import type { Clock } from '#shared/base/time.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { accessTokenFrom, credentialsOfWorkspaces, credentialsReader, verifyTokenStore } from './credentials-store.ts';
import { appSecrets, isVerifyToken } from './event-signature.ts';
import { hashToken } from './token.ts';

/** The secret that Secrets Manager returns, whatever its name. */
let secret: { SecretString?: string };
/** Secrets by name; `null` for one that does not exist. */
const named = new Map<string, string | null>();

const server = forAllTests(() =>
  startHttpServer((_, response) => {
    const SecretString = named.get(JSON.parse(String(server.requests.at(-1)?.body)).SecretId);
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    if (SecretString === null) response.writeHead(400, headers).end('{"__type":"ResourceNotFoundException"}');
    else response.writeHead(200, headers).end(JSON.stringify(SecretString === undefined ? secret : { SecretString }));
  }),
);
beforeEach(() => {
  server.requests.length = 0;
  named.clear();
});

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
    const proves = (token: string) => isVerifyToken(read, token);
    secret = { SecretString: '{"access_token":"EAAone","verify_token":"old"}' };
    expect(await proves('old')).toBe(true);
    time = 60_000;
    secret = { SecretString: '{"access_token":"EAAtwo","verify_token":"new"}' };
    expect(await proves('old')).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(await proves('new')).toBe(true);
    for (let count = 0; count < 100; count++) expect(await proves('forged')).toBe(false);
    expect(server.requests).toHaveLength(2);
    time += freshMs;
    expect(await proves('forged')).toBe(false);
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

describe('credentialsOfWorkspaces', () => {
  const upstream = 'messaging/test/upstream';
  const own = { id: 'w1', own_credentials: true as const };
  const ownSecret = 'messaging/test/credentials/w1';
  const readSecrets = () => server.requests.map(({ body }) => JSON.parse(String(body)).SecretId);

  const chooserAt = (now: Clock) => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = secretsManager({ endpoint: server.url, region: 'us-east-1', credentials });
    return credentialsOfWorkspaces(upstream, now, client);
  };

  it('reads the secret of a workspace with credentials of its own, and only then', async () => {
    named.set(upstream, '{"access_token":"EAAshared","app_secret":"shared"}');
    named.set(ownSecret, '{"access_token":"EAAown","app_secret":["new","former"],"verify_token":"v"}');
    const credentialsOf = chooserAt(() => 0);
    expect(await credentialsOf({ id: 'w2' })()).toEqual({ access_token: 'EAAshared', app_secret: 'shared' });
    expect(await credentialsOf(undefined)()).toEqual({ access_token: 'EAAshared', app_secret: 'shared' });
    expect(readSecrets()).toEqual([upstream]);
    expect(await credentialsOf(own)()).toMatchObject({ access_token: 'EAAown', app_secret: ['new', 'former'] });
    expect(await credentialsOf(own)()).toMatchObject({ access_token: 'EAAown' });
    expect(readSecrets()).toEqual([upstream, ownSecret]);
  });

  it('completes what a workspace lacks with that of the deployment', async () => {
    named.set(upstream, '{"access_token":"EAAshared","app_secret":"shared","verify_token":"v"}');
    named.set(ownSecret, '{"access_token":"EAAown","app_secret":""}');
    expect(await chooserAt(() => 0)(own)()).toMatchObject({ access_token: 'EAAown', app_secret: 'shared' });
    named.set(ownSecret, '{"app_secret":"own"}');
    expect(await chooserAt(() => 0)(own)()).toMatchObject({ access_token: 'EAAshared', app_secret: 'own' });
  });

  it.each([null, 'EAAsecret', '{"access_token":5}'])(
    'gives a workspace nothing, for seconds, if its own secret is %j, and logs that without its contents',
    async (text) => {
      const logged = captureLog();
      named.set(upstream, '{"access_token":"EAAshared","app_secret":"shared"}');
      named.set(ownSecret, text);
      const read = chooserAt(() => 0)(own);
      expect(appSecrets(await read())).toEqual([]);
      await expect(accessTokenFrom(read)()).rejects.toThrow('no access token');
      for (let count = 0; count < 10; count++) await read(freshMs);
      expect(readSecrets()).toEqual([ownSecret]);
      expect(logged).toEqual([{ level: 'error', event: 'credentials.unreadable', secret: ownSecret }]);
    },
  );

  it('reads the secret again for a caller who needs a younger one', async () => {
    let time = 0;
    named.set(ownSecret, '{"access_token":"EAAone","app_secret":"s"}');
    const read = chooserAt(() => time)(own);
    await read();
    named.set(ownSecret, '{"access_token":"EAAtwo","app_secret":"s"}');
    time = freshMs;
    expect((await read()).access_token).toBe('EAAone');
    expect((await read(freshMs)).access_token).toBe('EAAtwo');
  });
});

const dynamodb = forAllTests(() => startTestTable());
const verifyTokens = forAllTests(() => verifyTokenStore(dynamodb.table));

describe('a verify token', () => {
  it('leads to its workspace until it is removed', async () => {
    const [hash, workspace] = [hashToken('first'), newId()];
    expect(await verifyTokens.find(hash)).toBeUndefined();
    expect(await verifyTokens.enter(hash, workspace)).toBe(true);
    expect(await verifyTokens.find(hash)).toBe(workspace);
    await verifyTokens.remove(hash);
    expect(await verifyTokens.find(hash)).toBeUndefined();
  });

  it('belongs to one workspace, which may enter it again', async () => {
    const [hash, workspace] = [hashToken('second'), newId()];
    await verifyTokens.enter(hash, workspace);
    expect(await verifyTokens.enter(hash, workspace)).toBe(true);
    expect(await verifyTokens.enter(hash, newId())).toBe(false);
    expect(await verifyTokens.find(hash)).toBe(workspace);
  });
});
