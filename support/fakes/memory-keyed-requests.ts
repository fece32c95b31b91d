import type { KeyedRequest, KeyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';

/** A store of requests with an `Idempotency-Key` in memory. `stored` has the records, by key. */
export function memoryKeyedRequests(stored = new Map<string, KeyedRequest>()): KeyedRequestStore {
  const change = (key: string, run: string, members: Partial<KeyedRequest>) => {
    const request = stored.get(key);
    if (request?.lease.holder === run) stored.set(key, { ...request, ...members });
  };
  return {
    async claim(key, request, now) {
      const found = stored.get(key);
      if (found && found.expires_at > now) return found;
      stored.set(key, request);
      return request;
    },
    async takeOver(key, request, previousRun) {
      const found = stored.get(key);
      if (found?.lease.holder !== previousRun || found.response) return false;
      stored.set(key, request);
      return true;
    },
    keep: async (key, run, response) => change(key, run, { response }),
    abandon: async (key, run) => change(key, run, { lease: { holder: run, until: 0 } }),
    async release(key, run) {
      if (stored.get(key)?.lease.holder === run) stored.delete(key);
    },
  };
}
