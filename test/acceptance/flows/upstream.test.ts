import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as deleteFlow } from '#functions/flows/delete-flow/contract.ts';
import { contract as getFlow } from '#functions/flows/get-flow/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as publishFlow } from '#functions/flows/publish-flow/contract.ts';
import { contract as updateFlow } from '#functions/flows/update-flow/contract.ts';
import { contract as updateFlowJson } from '#functions/flows/update-flow-json/contract.ts';
import { freePort } from '#local/aws/base/http/free-port.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { metricsOf } from '../../../support/aws/log-metrics.ts';
import {
  canary,
  type FlowObject,
  type FlowService,
  flowJson,
  newFlow,
  startFlowService,
} from '../../../support/flows/flow-service.ts';
import type { Reply } from '../../../support/http/client.ts';

let service: FlowService;
let workspace: string;

beforeAll(async () => {
  service = await startFlowService({ environment: { UPSTREAM_TIMEOUT_MS: '2000' } });
  workspace = await service.newWorkspace();
});
afterAll(() => service.close());
afterEach(() => service.clearFaults());

/** How to request each kind of change here, and what the simulated upstream calls it. */
const changes: {
  contract: Contract;
  operation: string;
  body?: () => object;
  of: 'draft' | 'publishable' | 'published';
}[] = [
  { contract: createFlow, operation: 'create_flow', body: newFlow, of: 'draft' },
  { contract: updateFlow, operation: 'update_flow', body: newFlow, of: 'draft' },
  { contract: updateFlowJson, operation: 'update_flow_json', body: () => ({ json: flowJson }), of: 'draft' },
  { contract: publishFlow, operation: 'publish_flow', of: 'publishable' },
  { contract: deleteFlow, operation: 'delete_flow', of: 'draft' },
  { contract: deleteFlow, operation: 'deprecate_flow', of: 'published' },
];
const titled = changes.map((change) => [change.operation, change] as const);

/** Requests the change while the upstream has this fault. Returns the Flow before and after. */
async function changeUnder(
  { contract, operation, body, of }: (typeof changes)[number],
  fault: Parameters<FlowService['fault']>[1],
) {
  const before = await service[of](workspace);
  const params = { workspace, flow: before.id };
  await service.fault(operation, fault);
  const reply = await service.api.call(contract, { params, body: body?.() });
  const after = await service.api.call(getFlow, { params });
  return { before, reply, after: after.body as FlowObject };
}

const errorFault = (status: number, error: Record<string, unknown>, headers: Record<string, string> = {}) => ({
  kind: 'error',
  status,
  error,
  headers,
});

/** The metrics that the log has counted so far. */
const counted = () => metricsOf(service.world.logs);

const sameFlow = (flow: FlowObject) => ({ ...flow, updated_at: expect.any(String), validation_errors: undefined });

describe.each(titled)('%s', (_, change) => {
  it('that the upstream rejects returns 400 with exactly its message, and changes nothing', async () => {
    const { before, reply, after } = await changeUnder(
      change,
      errorFault(400, { code: 139000, message: '(#139000) No', error_user_msg: 'Nicht so.' }),
    );
    expect([reply.status, reply.body]).toEqual([400, { message: 'Nicht so.' }]);
    expect(reply.headers.get('x-upstream-error-code')).toBe('139000');
    expect({ ...after, validation_errors: undefined }).toEqual(sameFlow(before));
  });

  it('during an upstream rate limit returns 429 with Retry-After', async () => {
    const { reply } = await changeUnder(change, errorFault(400, { code: 80008 }, { 'retry-after': '17' }));
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '17']);
    expect(reply.headers.get('x-upstream-error-code')).toBe('80008');
  });

  it('that fails upstream returns 502 without the reason, and changes nothing', async () => {
    const { before, reply, after } = await changeUnder(
      change,
      errorFault(500, { code: 1, message: `Stack trace of ${canary}` }),
    );
    expect(reply.status).toBe(502);
    expect(reply.message).toMatch(/^The messaging platform is unreachable/);
    await expect.poll(counted).toContain('UpstreamFailures');
    expect({ ...after, validation_errors: undefined }).toEqual(sameFlow(before));
  });

  it('succeeds although the upstream’s response is lost', async () => {
    const { reply } = await changeUnder(change, { kind: 'accept_then_reset' });
    expect(reply.status).toBeLessThan(300);
  });

  it('with credentials that the upstream rejects returns 502 and alerts the operator', async () => {
    const { reply } = await changeUnder(
      change,
      errorFault(401, { code: 190, message: `Malformed access token ${canary}` }),
    );
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([502, null]);
    expect(reply.text).not.toContain(canary);
    await expect.poll(counted).toContain('UpstreamCredentialsRejected');
  });
});

// All at once, because each waits for the same time.
it('a change returns 504 if the upstream does not respond in time', async () => {
  const flows = await Promise.all(changes.map(({ of }) => service[of](workspace)));
  for (const { operation } of changes) await service.fault(operation, { kind: 'timeout' });
  const replies = changes.map(({ contract, body }, index) =>
    service.api.call(contract, { params: { workspace, flow: String(flows[index]?.id) }, body: body?.() }),
  );
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(changes.map(() => 504));
});

describe('the message of an upstream rejection', () => {
  const reject = async (error: Record<string, unknown>, status = 400): Promise<Reply> => {
    await service.fault('create_flow', errorFault(status, error));
    return service.api.call(createFlow, { params: { workspace }, body: newFlow() });
  };

  it.each([
    ['error_user_msg', { code: 100, message: 'm', error_data: { details: 'd' }, error_user_msg: 'u' }, 'u'],
    ['error_data.details', { code: 100, message: 'm', error_data: { details: 'd' } }, 'd'],
    ['message', { code: 100, message: 'm' }, 'm'],
  ])('is the most helpful text available: %s', async (_, error, text) => {
    const reply = await reject(error);
    expect([reply.status, reply.text]).toEqual([400, JSON.stringify({ message: text })]);
  });

  it.each([138000, 138006])('is passed on regardless of the HTTP status: %i comes as 401', async (code) => {
    const reply = await reject({ code, message: 'No' }, 401);
    expect([reply.status, reply.headers.get('x-upstream-error-code')]).toEqual([400, String(code)]);
  });
});

describe('errors of the upstream', () => {
  const createUnder = async (fault: Parameters<FlowService['fault']>[1]): Promise<Reply> => {
    await service.fault('create_flow', fault);
    return service.api.call(createFlow, { params: { workspace }, body: newFlow() });
  };

  it.each([
    [0, 401],
    [3, 400],
    [10, 403],
    [190, 400],
    [200, 403],
    [299, 403],
  ])('about our permissions return 502, never 401 or 403: code %i as %i', async (code, status) => {
    expect((await createUnder(errorFault(status, { code }))).status).toBe(502);
  });

  it.each([
    [4, 400],
    [613, 400],
    [80007, 429],
    [130429, 400],
  ])('about the rate return 429, with a minute if it gives no time: code %i as %i', async (code, status) => {
    const reply = await createUnder(errorFault(status, { code }));
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '60']);
  });

  it.each([
    ['a 503', errorFault(503, { code: 2 })],
    ['a transient error that comes as 400', errorFault(400, { code: 131000, is_transient: true })],
  ])('errors of the upstream return 502: %s', async (_, fault) => {
    expect((await createUnder(fault)).status).toBe(502);
  });

  it.each([
    ['a connection that ends', { kind: 'reset' }],
    ['a page of a proxy in place of a response', { kind: 'malformed' }],
  ])('return 502 if the response is lost or cannot be read: %s', async (_, fault) => {
    expect((await createUnder(fault)).status).toBe(502);
  });

  it('do not arise if it is only slow, or its response is cut short', async () => {
    expect((await createUnder({ kind: 'slow', ms: 50 })).status).toBe(201);
    expect((await createUnder({ kind: 'malformed', body: 'truncated_json' })).status).toBe(201);
  });

  it('errors of the upstream do not affect reads', async () => {
    const flow = await service.draft(workspace);
    await service.fault('update_flow', { kind: 'timeout' });
    const params = { workspace, flow: flow.id };
    const lost = await service.api.call(updateFlow, { params, body: newFlow() });
    expect(lost.status).toBe(504);
    await service.fault('/*', errorFault(500, { code: 2 }), 20);
    expect(await service.api.succeed(getFlow, { params })).toMatchObject({ name: flow.name });
    const page = await service.api.succeed(listFlows, { params });
    expect(page.data.map(({ id }) => id)).toContain(flow.id);
  });

  it('leave one Flow on both sides if a create without a response is retried', async () => {
    const own = await service.newWorkspace();
    const body = newFlow();
    await service.fault('create_flow', { kind: 'timeout' });
    expect((await service.api.call(createFlow, { params: { workspace: own }, body })).status).toBe(504);
    const { id } = await service.api.succeed(createFlow, { params: { workspace: own }, body });
    const page = await service.api.succeed(listFlows, { params: { workspace: own } });
    expect(page.data.map((flow) => flow.id)).toEqual([id]);
    expect((await service.upstreamFlows()).filter(({ name }) => name === body.name)).toHaveLength(1);
  });
});

describe('simultaneous requests', () => {
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  function expectOneWinner(replies: Reply[], won: number, lost: number[]): void {
    const winners = replies.filter(({ status }) => status === won);
    expect(winners).toHaveLength(1);
    for (const reply of replies.filter((candidate) => !winners.includes(candidate))) {
      expect([...lost, 409]).toContain(reply.status);
      if (reply.status === 409) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }

  /** Status, name and content are the same here and upstream, or the Flow is in neither place. */
  async function expectEqualSides({ id: flow, wa_id }: FlowObject): Promise<void> {
    const here = await service.api.call(getFlow, { params: { workspace, flow } });
    const there = await service.upstreamFlow(wa_id);
    if (here.status === 404) {
      expect(there).toBeUndefined();
      return;
    }
    const { name, status, json } = here.body as FlowObject;
    expect({ name, status: status.code }).toEqual({ name: there?.name, status: there?.status });
    expect(json).toEqual(await service.upstreamJson(wa_id));
  }

  it('simultaneous requests publish a Flow once', async () => {
    const flow = await service.publishable(workspace);
    const params = { workspace, flow: flow.id };
    expectOneWinner(await times(8, () => service.api.call(publishFlow, { params })), 200, [400]);
    await expectEqualSides(flow);
  });

  it('simultaneous requests delete a draft once', async () => {
    const flow = await service.draft(workspace);
    const params = { workspace, flow: flow.id };
    expectOneWinner(await times(8, () => service.api.call(deleteFlow, { params })), 204, [404]);
    await expectEqualSides(flow);
  });

  it('simultaneous requests create a name once', async () => {
    const body = newFlow();
    expectOneWinner(await times(4, () => service.api.call(createFlow, { params: { workspace }, body })), 201, [400]);
    expect((await service.upstreamFlows()).filter(({ name }) => name === body.name)).toHaveLength(1);
  });

  it('edit a Flow one after the other, and apply each edit as a whole', async () => {
    const flow = await service.draft(workspace);
    const params = { workspace, flow: flow.id };
    const replies = await times(8, (index) =>
      index % 2 === 0
        ? service.api.call(updateFlow, { params, body: newFlow() })
        : service.api.call(updateFlowJson, { params, body: { json: { ...flowJson, index } } }),
    );
    expect(replies.map(({ status }) => status)).toContain(200);
    expect(replies.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    await service.api.succeed(updateFlowJson, { params, body: { json: flowJson } });
    await expectEqualSides(flow);
  });

  it('leave both sides equal after publish, delete and edit', async () => {
    const flow = await service.publishable(workspace);
    const params = { workspace, flow: flow.id };
    const replies = await Promise.all([
      service.api.call(publishFlow, { params }),
      service.api.call(deleteFlow, { params }),
      service.api.call(updateFlow, { params, body: newFlow() }),
      service.api.call(updateFlowJson, { params, body: { json: flowJson } }),
    ]);
    expect(replies.filter(({ status }) => ![200, 204, 400, 404, 409].includes(status))).toEqual([]);
    await expectEqualSides(flow);
  });
});

describe('an unreachable upstream', () => {
  let apart: FlowService;
  beforeAll(async () => {
    apart = await startFlowService({ upstreamBaseUrl: `http://127.0.0.1:${await freePort()}` });
  });
  afterAll(() => apart.close());

  it('leads to 502, and nothing is stored', async () => {
    const own = await apart.newWorkspace();
    const reply = await apart.api.call(createFlow, { params: { workspace: own }, body: newFlow() });
    expect(reply.status).toBe(502);
    expect((await apart.api.succeed(listFlows, { params: { workspace: own } })).data).toEqual([]);
  });
});
