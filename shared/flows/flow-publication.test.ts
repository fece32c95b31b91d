import { describe, expect, it, vi } from 'vitest';
import { type Explanation, UpstreamError } from '#shared/base/upstream-error.ts';
import { draft, fakeFlowDependencies, now } from '#support/fakes/fake-flow-context.ts';
import type { FlowRecord } from './flow.ts';
import { publishFlow } from './flow-publication.ts';
import type { UpstreamFlows } from './flows-graph.ts';

/** Its endpoint gets clear text. */
const dynamic: FlowRecord = { ...draft, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };

/** Publishes the Flow; `fault` is that of its latest exchange. */
function publish(flow: FlowRecord, upstreamPublish: UpstreamFlows['publish'], fault?: Explanation) {
  const { context } = fakeFlowDependencies({ flows: [flow], upstream: { publish: upstreamPublish } });
  const endpoint = { ensureKeyRegistered: vi.fn(async () => {}), latestFault: vi.fn(async () => fault) };
  return { published: publishFlow(flow, context, endpoint), ...endpoint };
}

const accept = async () => undefined;

const reject = (code: number) => () => Promise.reject(new UpstreamError('rejected', 'No', { code }));

describe('publishFlow', () => {
  it.each<[string, FlowRecord, number]>([
    ['clear text', dynamic, 1],
    ['envelopes', { ...dynamic, endpoint_encrypted: true }, 0],
    ['nothing', { ...draft, endpoint_encrypted: false }, 0],
  ])('registers the key of the workspace only for an endpoint that gets clear text: %s', async (_, flow, times) => {
    const { published, ensureKeyRegistered } = publish(flow, accept);
    expect((await published).flow?.status).toBe('PUBLISHED');
    expect(ensureKeyRegistered).toHaveBeenCalledTimes(times);
  });

  const fault = { code: 'exchange.status' } as const;

  it.each<[string, FlowRecord, number, Explanation | undefined, Explanation[]]>([
    ['adds what the endpoint just did to a rejection', dynamic, 139_002, fault, [fault]],
    ['adds nothing if the endpoint did nothing wrong', dynamic, 139_002, undefined, []],
    ['ignores exchanges of a Flow that has no endpoint now', draft, 139_002, fault, []],
    ['leaves other errors as they are', dynamic, 139_001, fault, []],
  ])('%s', async (_, flow, code, latest, hints) => {
    const error: UpstreamError = await publish(flow, reject(code), latest).published.then(Object, (thrown) => thrown);
    expect({ code: error.code, hints: error.hints }).toEqual({ code, hints });
  });

  it('asks for faults since the publication began, by a clock that may be five seconds behind', async () => {
    const { published, latestFault } = publish(dynamic, reject(139_002));
    await expect(published).rejects.toThrow(UpstreamError);
    expect(latestFault).toHaveBeenCalledExactlyOnceWith(now - 5_000);
  });
});
