import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { cached } from '#shared/base/cache.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import { hubSignature } from '#shared/webhooks/webhook-signature.ts';
import { fakeCredentials, fakeSignatures } from '#support/fakes/fake-signatures.ts';
import type { Credentials } from './credentials-store.ts';
import { isHubSigned, isVerifyToken, type SignatureContext, upstreamSignature } from './event-signature.ts';
import type { Workspace } from './workspace.ts';

const body = Buffer.from('{"text":"\\u00e4\\u00f6","list": [1,2]}');
const sign = (secret: string, bytes: Uint8Array = body) =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;

describe('isHubSigned', () => {
  it('gives the digest of RFC 4231, test case 2', () => {
    const header = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const body = Buffer.from('what do ya want for nothing?');
    expect(isHubSigned(header, body, 'Jefe')).toBe(true);
    expect(isHubSigned(header, body, 'jefe')).toBe(false);
  });

  it('compares the bytes, not their meaning', () => {
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(isHubSigned(sign('a'), rewritten, 'a')).toBe(false);
    const invalid = Buffer.of(0xff);
    expect(isHubSigned(sign('a', invalid), invalid, 'a')).toBe(true);
    expect(isHubSigned(sign('a', invalid), Buffer.of(0xfe), 'a')).toBe(false);
  });

  it('accepts the digest in capital letters too', () => {
    const header = sign('a').toUpperCase().replace('SHA256', 'sha256');
    expect(isHubSigned(header, body, 'a')).toBe(true);
  });

  it.each([
    undefined,
    '',
    'sha256=',
    'sha256',
    sign('a').slice(0, -1),
    `${sign('a')}0`,
    `${sign('a')}\n`,
    ` ${sign('a')}`,
    sign('a').replace('sha256', 'sha1'),
    sign('a').slice('sha256='.length),
    `sha256=${'é'.repeat(32)}`,
    `sha256=${'0'.repeat(64)}`,
  ])('rejects the invalid header %j', (header) => {
    expect(isHubSigned(header, body, 'a')).toBe(false);
  });
});

describe('the app that signs for a workspace', () => {
  const body = Buffer.from('{}');
  const signedWith = (secret: string) => ({ header: hubSignature(body, secret), body });

  const deployment = fakeCredentials({ app_secret: 'deployment' });
  const own = (id: string, waba_id: string | null, app_secret: string | string[]) => ({
    id,
    waba_id,
    credentials: fakeCredentials({ app_secret }),
  });

  describe('the signature of a request', () => {
    it.each([
      ['the app secret', 'one', 'one', true],
      ['either of two secrets', ['one', 'two'], 'two', true],
      ['another secret', 'one', 'two', false],
      ['an empty secret', '', '', false],
      ['one of no secrets', undefined, 'one', false],
    ])('is known or not with %s', async (_, app_secret, secret, expected) => {
      const signature = upstreamSignature(signedWith(secret), fakeSignatures(fakeCredentials({ app_secret })));
      expect(await signature.isKnown(() => [])).toBe(expected);
      expect(await signature.isFor(undefined)).toBe(expected);
      expect(await signature.isFor('any')).toBe(expected);
    });

    it('is checked with the stored secret before a request is rejected, and only then', async () => {
      const read = vi.fn(fakeCredentials({ app_secret: 'old' }, { app_secret: 'new' }));
      const context = fakeSignatures(read);
      expect(await upstreamSignature(signedWith('old'), context).isKnown(() => [])).toBe(true);
      expect(read).toHaveBeenCalledTimes(1);
      expect(await upstreamSignature(signedWith('new'), context).isKnown(() => [])).toBe(true);
      expect(await upstreamSignature({ header: undefined, body }, context).isKnown(() => [])).toBe(false);
    });

    it('of a workspace’s own app is known only with its business account', async () => {
      const { isKnown } = upstreamSignature(signedWith('a'), fakeSignatures(deployment, [own('A', '1', 'a')]));
      expect([await isKnown(() => ['1']), await isKnown(() => ['7', '1'])]).toEqual([true, true]);
      expect([await isKnown(() => ['2']), await isKnown(() => [])]).toEqual([false, false]);
    });

    it('counts only for the workspaces that use the app', async () => {
      const context = fakeSignatures(deployment, [
        own('A', '1', 'a'),
        own('B', '2', ['b', 'former']),
        own('B2', '2', 'b'),
      ]);
      const workspaces = ['A', 'B', 'B2', 'shared'];
      const allowed = async (secret: string) => {
        const { isFor } = upstreamSignature(signedWith(secret), context);
        const checks = await Promise.all(workspaces.map(isFor));
        return workspaces.filter((_, index) => checks[index]);
      };
      expect(await allowed('deployment')).toEqual(['shared']);
      expect(await allowed('a')).toEqual(['A']);
      expect(await allowed('b')).toEqual(['B', 'B2']);
      expect(await allowed('former')).toEqual(['B']);
    });

    it('of the deployment’s app stays accepted for a workspace that moves to its own, while its secret is rotated', async () => {
      const rotated = fakeCredentials({ app_secret: ['new', 'old'] });
      const context = fakeSignatures(rotated, [own('moving', '1', ['a', 'old']), own('moved', '2', 'b')]);
      const { isFor } = upstreamSignature(signedWith('new'), context);
      expect([await isFor('moving'), await isFor('moved')]).toEqual([true, false]);
    });

    it('reaches a customer only if it has the current secret of the workspace, unshared', async () => {
      const context = fakeSignatures(fakeCredentials({ app_secret: ['shared', 'rotated'] }), [
        own('A', '1', ['a', 'shared', 'dropped']),
        own('B', '2', ['rotated', 'dropped']),
      ]);
      const workspaces = ['A', 'B', 'without an app'];
      const signedFor = async (secret: string) => {
        const { isByOwnApp } = upstreamSignature(signedWith(secret), context);
        const checks = await Promise.all(workspaces.map(isByOwnApp));
        return workspaces.filter((_, index) => checks[index]);
      };
      expect(await signedFor('a')).toEqual(['A']);
      for (const secret of ['shared', 'rotated', 'dropped']) expect(await signedFor(secret), secret).toEqual([]);
    });

    it('of an app that was stored a moment ago is accepted', async () => {
      const owner: Workspace = { id: 'A', waba_id: '1', name: '', own_credentials: true, created_at: 0 };
      const context: SignatureContext = {
        ...fakeSignatures(deployment, [own('A', '1', 'a')]),
        ownApps: async (maxAgeMs = Number.POSITIVE_INFINITY) => new Map(maxAgeMs > freshMs ? [] : [['A', owner]]),
      };
      const { isKnown, isFor } = upstreamSignature(signedWith('a'), context);
      expect([await isKnown(() => ['1']), await isFor('A'), await isFor('B')]).toEqual([true, true, false]);
    });

    it('does not look for business accounts while no workspace has an app of its own', async () => {
      const accounts = vi.fn(() => ['1']);
      expect(await upstreamSignature(signedWith('x'), fakeSignatures(deployment)).isKnown(accounts)).toBe(false);
      expect(accounts).not.toHaveBeenCalled();
    });
  });

  describe('a flood of forged requests', () => {
    /** Apps of a deployment and a hundred workspaces, with the number of times that each secret was read. */
    function countedApps(now: () => number) {
      const reads = new Map<string, number>();
      const count = (name: string) => reads.set(name, (reads.get(name) ?? 0) + 1);
      const readerOf = (name: string) =>
        cached<Credentials>(
          async () => {
            count(name);
            return { access_token: 't', app_secret: `secret of ${name}` };
          },
          300_000,
          now,
        );
      const workspaces = Array.from({ length: 100 }, (_, index) => own(`w${index}`, String(index), 'unused'));
      const apps = workspaces.map((workspace) => ({ ...workspace, credentials: readerOf(workspace.id) }));
      const fakes = fakeSignatures(readerOf('deployment'), apps);
      const ownApps = cached(
        () => {
          count('list');
          return fakes.ownApps();
        },
        300_000,
        now,
      );
      return { reads, context: { ...fakes, ownApps } };
    }

    it('reads each secret at most once in five seconds, whatever accounts it names', async () => {
      let time = 0;
      const { reads, context } = countedApps(() => time);
      const forged = (accounts: string[]) => upstreamSignature(signedWith('forged'), context).isKnown(() => accounts);
      for (; time < freshMs; time += 1) expect(await forged([String(time % 200), String(time)])).toBe(false);
      expect(reads.size).toBe(102);
      expect(Math.max(...reads.values())).toBe(1);
      await forged(['0', '1']);
      expect([reads.get('deployment'), reads.get('list'), reads.get('w0'), reads.get('w2')]).toEqual([2, 2, 2, 1]);
    });
  });
});

describe('isVerifyToken', () => {
  it.each([
    ['token', 'token', true],
    ['token', 'token2', false],
    ['', '', false],
    [undefined, '', false],
  ])('%j accepts %j: %j', async (verify_token, token, expected) => {
    expect(await isVerifyToken(fakeCredentials({ verify_token }), token)).toBe(expected);
  });
});
