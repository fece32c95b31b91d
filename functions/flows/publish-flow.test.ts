import { describe, expect, it, vi } from 'vitest';
import { ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { ExchangeRecord } from '#shared/flow-endpoint/exchange-record.ts';
import type { FlowStatus } from '#shared/flows/catalogue.ts';
import type { UpstreamFlows } from '#shared/flows/flows-graph.ts';
import { send } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, workspace } from '#support/fakes/fake-access.ts';
import {
  draft,
  draftObject,
  type FakeFlowOptions,
  failedHealthCheck,
  fakeFlowDependencies,
} from '#support/fakes/fake-flow-context.ts';
import { publishFlow as contract } from './contracts.ts';
import { makeHandler } from './publish-flow.ts';

captureLog();

interface PublishOptions extends FakeFlowOptions {
  ensureKeyRegistered?: () => Promise<void>;
  /** The Flow's latest exchange. */
  exchange?: ExchangeRecord;
}

const withExchange = (exchange?: ExchangeRecord) => ({ latest: async () => (exchange ? [exchange] : []) });

async function publish(
  { ensureKeyRegistered = vi.fn(), exchange, ...options }: PublishOptions = {},
  headers: Record<string, string> = {},
) {
  const { dependencies, records } = fakeFlowDependencies(options);
  const pathParameters = { workspace: workspace.id, flow: draft.id };
  const handler = makeHandler({ ...dependencies, ensureKeyRegistered, exchanges: withExchange(exchange) });
  const answer = await send(handler, { contract, caller, pathParameters, headers });
  return { ...answer, ensureKeyRegistered, stored: records.get(draft.id) };
}

describe('publish-flow', () => {
  it('publish-flow returns the published Flow', async () => {
    const { status, text } = await publish();
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        ...draftObject,
        status: { id: 2, code: 'PUBLISHED', description: 'Published' },
        updated_at: '2026-01-31T08:15:30.123000Z',
      }),
    );
  });

  it.each<[FlowStatus, string, string]>([
    ['PUBLISHED', 'en', 'Only a draft can be published; this Flow is published.'],
    ['UNKNOWN', 'en', 'Only a draft can be published; this Flow is unknown.'],
  ])('rejects a Flow that is %s, without calling the upstream', async (status, language, message) => {
    const upstream = { publish: vi.fn<UpstreamFlows['publish']>() };
    const flow = { ...draft, status };
    const answer = await publish({ flows: [flow], upstream }, { 'accept-language': language });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ message });
    expect(answer.stored).toEqual(flow);
    expect(upstream.publish).not.toHaveBeenCalled();
  });

  describe('when the endpoint fails the health check', () => {
    const dynamic = { ...draft, endpoint_url: 'https://example.com/flow' };
    const upstream = {
      publish: async () => {
        throw new UpstreamError('rejected', 'Endpoint Not Available', { code: 139002 });
      },
    };
    const exchange = failedHealthCheck;

    it.each([
      ['en', exchange, 'Endpoint Not Available. The endpoint returned 401 instead of 200.'],
      ['es', exchange, /El endpoint devolvió 401 en lugar de 200\.$/],
      ['en', { ...exchange, outcome: 'answered', fault: null }, 'Endpoint Not Available'],
      ['en', undefined, 'Endpoint Not Available'],
    ] as const)('says in %s what the endpoint did just now (%#)', async (language, latest, message) => {
      const { status, json } = await publish(
        { flows: [dynamic], upstream, ...(latest && { exchange: latest }) },
        { 'accept-language': language },
      );
      expect([status, json.message]).toEqual([
        400,
        typeof message === 'string' ? message : expect.stringMatching(message),
      ]);
    });

    it('mentions no endpoint if the Flow has none', async () => {
      expect((await publish({ upstream, exchange })).json.message).toBe('Endpoint Not Available');
    });
  });

  it('reports why the upstream rejects the Flow, and leaves the draft unchanged', async () => {
    const reject = async () => {
      throw new UpstreamError('rejected', 'Publishing Flow with validation errors', { code: 139_002 });
    };
    const answer = await publish({ upstream: { publish: reject }, reported: { status: 'DRAFT' } });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ message: 'Publishing Flow with validation errors' });
    expect(answer.headers).toMatchObject({ 'x-upstream-error-code': '139002' });
    expect(answer.stored).toEqual(draft);
  });

  describe('with an endpoint', () => {
    const dynamic = (endpoint_encrypted: boolean) => ({
      flows: [{ ...draft, endpoint_url: 'https://example.com/flow', endpoint_encrypted }],
    });

    it('registers our key first if we decrypt the exchanges', async () => {
      const order: string[] = [];
      const { status } = await publish({
        ...dynamic(false),
        ensureKeyRegistered: async () => void order.push('key'),
        upstream: { publish: async () => void order.push('publish') },
      });
      expect(status).toBe(200);
      expect(order).toEqual(['key', 'publish']);
    });

    it('is not published while the key cannot be registered', async () => {
      const ensureKeyRegistered = async () => {
        throw new ServiceError('flow-endpoint.foreign-key', { values: { number: '+1 555 0100' } });
      };
      const answer = await publish({ ...dynamic(false), ensureKeyRegistered });
      expect(answer.status).toBe(400);
      expect(answer.json.message).toContain('The number +1 555 0100 has another public key');
      expect(answer.stored?.status).toBe('DRAFT');
    });
  });

  it('uses the Flow as read under its lease, not as read before', async () => {
    const { dependencies, records } = fakeFlowDependencies({});
    const ensureKeyRegistered = vi.fn(async () => {});
    const contextFor: typeof dependencies.contextFor = (...of) => {
      const context = dependencies.contextFor(...of);
      const claim: typeof context.flows.claim = async (flow, ...rest) => {
        // Somebody has given it an endpoint since this request read it.
        records.set(flow.id, { ...flow, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false });
        return context.flows.claim(flow, ...rest);
      };
      return { ...context, flows: { ...context.flows, claim } };
    };
    const handler = makeHandler({ ...dependencies, contextFor, ensureKeyRegistered, exchanges: withExchange() });
    const pathParameters = { workspace: workspace.id, flow: draft.id };
    expect((await send(handler, { contract, caller, pathParameters })).status).toBe(200);
    expect(ensureKeyRegistered).toHaveBeenCalledOnce();
  });

  it.each([
    ['rejected', 400],
    ['timeout', 504],
  ] as const)('leaves a draft, free to be published again, when the registration is %s', async (failure, status) => {
    const ensureKeyRegistered = async () => {
      throw new UpstreamError(failure, 'No key today');
    };
    const flow = { ...draft, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };
    const upstream = { get: vi.fn<UpstreamFlows['get']>() };
    const answer = await publish({ flows: [flow], ensureKeyRegistered, upstream });
    expect([answer.status, answer.stored]).toEqual([status, flow]);
    expect(upstream.get).not.toHaveBeenCalled();
  });

  it('rejects a workspace without a business account', async () => {
    const { status, json } = await publish({ workspace: { ...workspace, waba_id: null } });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('no business account') });
  });
});
