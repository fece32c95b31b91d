import { describe, expect, it } from 'vitest';
import { send } from './request.ts';

const never = new AbortController().signal;

describe('a request of the smoke test', () => {
  it('that nobody accepts names the address and the cause, and no signature', async () => {
    await expect(send('http://127.0.0.1:2/v2/openapi.json?X-Amz-Signature=secret', {}, never)).rejects.toThrow(
      'GET http://127.0.0.1:2/v2/openapi.json got no response: connect ECONNREFUSED 127.0.0.1:2. Nothing listens at 127.0.0.1',
    );
  });

  it('to a name without an address says that DNS is not set', async () => {
    await expect(send('https://api.invalid/v2', { method: 'POST' }, never)).rejects.toThrow(
      /^POST https:\/\/api\.invalid\/v2 got no response: .*api\.invalid.* point DNS at the output DomainTarget/,
    );
  });

  it('that is interrupted is not a finding', async () => {
    const stop = AbortSignal.abort();
    await expect(send('https://api.invalid/', {}, stop)).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});
