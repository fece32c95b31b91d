import { describe, expect, it } from 'vitest';
import { createSecret, signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { signatureStateOf } from './signature-state.ts';

const now = 1_800_000_000_000;
const [current, former, stranger] = [createSecret(), createSecret(), createSecret()];
const secrets = { current, replaced: [{ secret: former, valid_until: now - 1 }] };
const signed = (body: string, secret: string, at = now) => ({
  ...signatureHeaders({ id: 'delivery', timestamp: at / 1000, body, secrets: [secret] }),
});
const minutes = 60_000;

describe('the state of a signature', () => {
  it.each([
    ['right', signed('{}', current)],
    ['right', signed('{}', current, now - 4 * minutes)],
    ['old', signed('{}', current, now - 6 * minutes)],
    ['former-secret', signed('{}', former)],
    ['wrong', signed('{}', stranger)],
    ['changed-body', signed('{"a": 1}', current)],
    ['wrong', signed('{"a": 2}', current)],
    ['missing', {}],
  ])('is %s: %j', async (state, headers) => {
    const loggedBody = async () => '{"a": 1}';
    expect(await signatureStateOf({ headers, body: Buffer.from('{}'), secrets, loggedBody, now })).toBe(state);
  });

  it('is unknown-subscriber if the subscriber does not exist', async () => {
    const webhook = { headers: signed('{}', current), body: Buffer.from('{}'), secrets: undefined, now };
    expect(await signatureStateOf({ ...webhook, loggedBody: async () => undefined })).toBe('unknown-subscriber');
  });
});
