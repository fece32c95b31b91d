import { expect, it } from 'vitest';
import { startRuntimeApi } from './runtime-api.ts';

it('an idle connection has no timeout, because the result of an event may arrive at any time', async () => {
  const api = await startRuntimeApi();
  try {
    const url = `http://${api.address}/2018-06-01/runtime/init/error`;
    const { status, headers } = await fetch(url, { method: 'POST', body: '{}' });
    expect([status, headers.get('keep-alive')]).toEqual([202, null]);
  } finally {
    api.close();
  }
});
