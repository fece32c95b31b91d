import { describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { upstreamEncryption } from './encryption-graph.ts';

const answering = (answer: unknown) => upstreamEncryption(async () => answer);

describe('the key of a number', () => {
  const registered = { business_public_key: 'PEM', business_public_key_signature_status: 'VALID' };

  it.each([
    ['in a list', { data: [registered] }],
    ['bare', registered],
  ])('is read from a response %s', async (_, answer) => {
    expect(await answering(answer).registeredKey('1')).toEqual({ publicKey: 'PEM', signatureStatus: 'VALID' });
  });

  it.each([[{ data: [] }], [{ data: [{}] }], [{}], [{ business_public_key: '' }]])(
    'does not exist if the response is %j',
    async (answer) => {
      expect(await answering(answer).registeredKey('1')).toBe('none');
    },
  );

  it('does not exist if the upstream rejects the request, and is unknown if the upstream fails', async () => {
    const failing = (failure: 'rejected' | 'unavailable', details = {}) =>
      upstreamEncryption(async () => {
        throw new UpstreamError(failure, 'no', details);
      }).registeredKey('1');
    expect(await failing('rejected')).toBe('none');
    expect(await failing('rejected', { code: 100, subcode: 33 })).toBe('unknown-number');
    await expect(failing('unavailable')).rejects.toThrow(UpstreamError);
  });

  it('is registered with a form body', async () => {
    const calls: GraphRequest[] = [];
    await upstreamEncryption(async (request) => {
      calls.push(request);
      return { success: true };
    }).register('106540352242922', 'PEM');
    const [call] = calls;
    expect(call).toMatchObject({ method: 'POST', path: '106540352242922/whatsapp_business_encryption' });
    expect(Object.fromEntries(call?.form ?? [])).toEqual({ business_public_key: 'PEM' });
  });

  it('is not registered if the upstream reports failure with a success status', async () => {
    await expect(answering({ success: false }).register('1', 'PEM')).rejects.toThrow(UpstreamError);
  });
});
