import { beforeEach, describe, expect, it } from 'vitest';
import { payloadStore } from './notification.ts';

const objects = new Map<string, string>();
const payloads = payloadStore({
  put: async (key, text) => void objects.set(key, text),
  get: async (key) => objects.get(key),
  delete: async (key) => void objects.delete(key),
});

beforeEach(() => objects.clear());

describe('payloads', () => {
  it('are stored in their delivery while they are small', async () => {
    const text = 'x'.repeat(200_000);
    const payload = await payloads.keep('subscriber', 'delivery', text);
    expect(payload).toEqual({ text });
    expect(objects.size).toBe(0);
    expect(await payloads.read(payload)).toBe(text);
  });

  it.each([
    ['by a byte', 'x'.repeat(200_001)],
    ['by what characters take', '👋'.repeat(50_001)],
  ])('are stored in the bucket if they are too large %s, and are returned unchanged', async (_, text) => {
    const payload = await payloads.keep('subscriber', 'delivery', text);
    expect(payload).toEqual({ blob: 'notifications/subscriber/delivery.json' });
    expect(await payloads.read(payload)).toBe(text);
  });

  it('that are missing are a fault of ours', async () => {
    await expect(payloads.read({ blob: 'notifications/subscriber/gone.json' })).rejects.toThrow('gone from the bucket');
  });
});
