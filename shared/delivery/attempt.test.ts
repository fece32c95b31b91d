import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import type { Attempt } from '#shared/egress/post.ts';
import { createSecret } from '#shared/webhooks/webhook-signature.ts';
import { attemptRecord, decodedText, excerptOf, isReceived, makeAttempt, notificationHeaders } from './attempt.ts';

const now = Date.now();
const body = '{"messages":[]}';

function answered(status: number, answer: string | Buffer = ''): Attempt {
  return { outcome: 'responded', durationMs: 12.6, status, body: Buffer.from(answer), truncated: false };
}

describe('the signature', () => {
  const [current, previous, oldest] = [createSecret(), createSecret(), createSecret()];
  const verifies = (secret: string, headers: Record<string, string>) => {
    try {
      return Boolean(new Webhook(secret).verify(body, headers));
    } catch {
      return false;
    }
  };

  it('is made with every valid secret, newest first', () => {
    const replaced = [
      { secret: previous, valid_until: now + 1 },
      { secret: oldest, valid_until: now },
    ];
    const secrets = { current, replaced };
    const during = notificationHeaders({ id: 'id-1', body, secrets }, now);
    expect([current, previous, oldest].map((secret) => verifies(secret, during))).toEqual([true, true, false]);
    const newest = notificationHeaders({ id: 'id-1', body, secrets: { current } }, now);
    expect(during['webhook-signature']?.startsWith(String(newest['webhook-signature']))).toBe(true);
    const after = notificationHeaders({ id: 'id-1', body, secrets }, now + 1);
    expect([verifies(current, after), verifies(previous, after)]).toEqual([true, false]);
  });

  it('has the time of its attempt and the id of its delivery', () => {
    const headers = notificationHeaders({ id: 'id-1', body, secrets: { current } }, now);
    expect(headers).toMatchObject({ 'webhook-id': 'id-1', 'webhook-timestamp': String(Math.floor(now / 1000)) });
  });
});

describe('an attempt', () => {
  it('is one POST of the exact body, signed for its time', async () => {
    const secrets = { current: createSecret() };
    const post = vi.fn(async () => answered(200));
    const context = { sender: { post, close() {} }, timeoutMs: 1_234, now: () => now };
    expect(await makeAttempt({ id: 'id-1', url: 'https://example.com', body, secrets }, context)).toEqual(
      answered(200),
    );
    const headers = notificationHeaders({ id: 'id-1', body, secrets }, now);
    expect(post).toHaveBeenCalledExactlyOnceWith({ url: 'https://example.com', headers, body, timeoutMs: 1_234 });
  });

  it('has the headers of the receiver, which cannot replace those of the service', async () => {
    const post = vi.fn(async () => answered(200));
    const context = { sender: { post, close() {} }, timeoutMs: 1_234, now: () => now };
    const headers = { authorization: 'Bearer x', 'webhook-id': 'forged' };
    const secrets = { current: createSecret() };
    await makeAttempt({ id: 'id-1', url: 'https://example.com', body, secrets, headers }, context);
    const sent = expect.objectContaining({ authorization: 'Bearer x', 'webhook-id': 'id-1' });
    expect(post).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ headers: sent }));
  });

  it('names the sent Flow that the message completes', async () => {
    const post = vi.fn(async () => answered(200));
    const context = { sender: { post, close() {} }, timeoutMs: 1_234, now: () => now };
    const sentFlow = { flow: 'flow', message: 'wamid.1', contact: '16505551234' };
    const secrets = { current: createSecret() };
    await makeAttempt({ id: 'id-1', url: 'https://example.com', body, secrets, sentFlow }, context);
    const signed = notificationHeaders({ id: 'id-1', body, secrets }, now);
    expect(signed).toHaveProperty('webhook-signature');
    const headers = { ...signed, 'x-flow-id': 'flow', 'x-message-id': 'wamid.1', 'x-contact': '16505551234' };
    expect(post).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ headers, body }));
  });
});

describe('success of an attempt', () => {
  it('requires status 200 and nothing else', () => {
    expect(isReceived(answered(200))).toBe(true);
    for (const status of [201, 202, 204, 301, 400, 500]) expect(isReceived(answered(status))).toBe(false);
    expect(isReceived({ outcome: 'failed', error: 'timeout', durationMs: 1 })).toBe(false);
  });
});

describe('the record of an attempt', () => {
  it('contains its start and its duration', () => {
    expect(attemptRecord(answered(200), now)).toEqual({ at: now - 13, duration_ms: 13, status: 200 });
    expect(attemptRecord({ outcome: 'failed', error: 'dns', durationMs: 5 }, now, { isReplay: true })).toEqual({
      at: now - 5,
      duration_ms: 5,
      error: 'dns',
      replay: true,
    });
  });

  it('contains the beginning of the response as text, and less of it for a success', () => {
    expect(attemptRecord(answered(200, 'x'.repeat(101)), now).excerpt).toBe('x'.repeat(100));
    expect(attemptRecord(answered(500, 'x'.repeat(501)), now).excerpt).toBe('x'.repeat(500));
    expect(attemptRecord(answered(500, Buffer.from([0x41, 0xff, 0x42])), now).excerpt).toBe('A\ufffdB');
    expect(attemptRecord(answered(500), now)).not.toHaveProperty('excerpt');
  });

  it('contains nothing of a response that shows a secret', () => {
    const [current, secret] = [createSecret(), createSecret()];
    const own = { app_secret: 'app secret 0123456', verify_token: 'verify me, please' };
    const secrets = { current, replaced: [{ secret, valid_until: now }], ...own };
    const known = { secrets, headers: { authorization: 'Bearer s3cr3t-token' } };
    const cut = `${'x'.repeat(480)}Bearer s3cr3t-token`;
    for (const shown of [...Object.values(own), current, secret.slice('whsec_'.length), 's3cr3t-token', cut]) {
      expect(attemptRecord(answered(500, `verify me: ${shown}`), now, known).excerpt, shown).toBe('***');
    }
    expect(attemptRecord(answered(500, 'verify me'), now, known).excerpt).toBe('verify me');
  });
});

describe('the excerpt of a response in a charset of its own', () => {
  const headers = { 'x-key': 's3cr3t-key' };
  const excerpt = (contentType: string, bytes: Buffer) => excerptOf({ body: bytes, contentType }, 500, { headers });

  it.each([
    ['iso-8859-1', Buffer.from('não: s3cr3t-key', 'latin1')],
    ['utf-16le', Buffer.from('não: s3cr3t-key', 'utf16le')],
    ['utf-16le', Buffer.from('not UTF-16: s3cr3t-key')],
    ['utf-8', Buffer.from('not UTF-8: s3cr3t-key', 'utf16le')],
  ])('shows no header of the receiver (%s)', (charset, bytes) => {
    expect(excerpt(`text/plain; charset=${charset}`, bytes)).toBe('***');
  });
});

it.each([
  ['text/plain; charset=iso-8859-1', '66616c6861 20 e7e36f', 'falha ção'],
  ['text/plain;CHARSET = "Windows-1252"; x=y', '93 78 94', '“x”'],
  ['text/plain; charset=utf-16le', '4100 e700', 'Aç'],
  ['text/html; charset=shift_jis', '93fa 967b', '日本'],
  ["text/plain; charset='iso-8859-1'", 'e7', 'ç'],
  ['text/plain; charset=unknown', 'c3a7', 'ç'],
  [undefined, 'c3a7 ff', 'ç\ufffd'],
])('%s: the bytes %s are %s', (contentType, bytes, text) => {
  expect(decodedText(Buffer.from(bytes.replaceAll(' ', ''), 'hex'), contentType, false)).toBe(text);
});

it.each([
  [undefined, 'e282'],
  ['text/plain; charset=utf-16le', '41'],
  ['text/plain; charset=shift_jis', '93'],
])('leaves out a character that the cut has split (%s)', (contentType, bytes) => {
  expect(decodedText(Buffer.from(bytes, 'hex'), contentType, true)).toBe('');
});
