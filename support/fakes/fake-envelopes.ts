import type { EnvelopeStore } from '#shared/flow-endpoint/exchange-store.ts';

/** Envelopes and their Flows, in memory. */
export function fakeEnvelopes(): EnvelopeStore {
  const flows = new Map<string, string>();
  return {
    async bind(hash, flow) {
      flows.set(hash, flows.get(hash) ?? flow);
      return flows.get(hash) === flow;
    },
  };
}
