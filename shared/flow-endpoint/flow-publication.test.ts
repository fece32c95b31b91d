import { describe, expect, it, vi } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { UpstreamFlows } from '#shared/flows/flows-graph.ts';
import { draft, failedHealthCheck, fakeFlowDependencies, now } from '#support/fakes/fake-flow-context.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { publishFlow } from './flow-publication.ts';

/** Its endpoint gets clear text. */
const dynamic: FlowRecord = { ...draft, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };

/** Publishes the Flow; `latest` is its latest exchange. */
function publish(
  flow: FlowRecord,
  upstreamPublish: UpstreamFlows['publish'],
  latest: ExchangeRecord = failedHealthCheck,
) {
  const { context } = fakeFlowDependencies({ flows: [flow], upstream: { publish: upstreamPublish } });
  const ensureKeyRegistered = vi.fn(async () => undefined);
  const published = publishFlow(flow, context, { ensureKeyRegistered, exchanges: { latest: async () => [latest] } });
  return { published, ensureKeyRegistered };
}

const accept = async () => undefined;

const reject = (code: number) => () => Promise.reject(new UpstreamError('rejected', 'No', { code }));

describe('publishFlow', () => {
  it.each<[string, FlowRecord, string[][]]>([
    ['clear text', dynamic, [[draft.workspace]]],
    ['envelopes', { ...dynamic, endpoint_encrypted: true }, []],
    ['nothing', { ...draft, endpoint_encrypted: false }, []],
  ])('registers the key of the workspace only for an endpoint that gets clear text: %s', async (_, flow, calls) => {
    const { published, ensureKeyRegistered } = publish(flow, accept);
    expect((await published).flow?.status).toBe('PUBLISHED');
    expect(ensureKeyRegistered.mock.calls).toEqual(calls);
  });

  it.each<[string, FlowRecord, number, ExchangeRecord, number]>([
    ['adds what the endpoint just did to a rejection', dynamic, 139_002, failedHealthCheck, 1],
    ['ignores an exchange before the publication', dynamic, 139_002, { ...failedHealthCheck, at: now - 5_001 }, 0],
    ['ignores an exchange without a fault', dynamic, 139_002, { ...failedHealthCheck, fault: null }, 0],
    ['ignores exchanges of a Flow that has no endpoint now', draft, 139_002, failedHealthCheck, 0],
    ['leaves other errors as they are', dynamic, 139_001, failedHealthCheck, 0],
  ])('%s', async (_, flow, code, latest, hints) => {
    const error: UpstreamError = await publish(flow, reject(code), latest).published.then(Object, (thrown) => thrown);
    expect(error.code).toBe(code);
    expect(error.hints).toHaveLength(hints);
  });
});
