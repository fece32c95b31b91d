import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCall } from '#functions/calls/contracts.ts';
import { createFlow } from '#functions/flows/contracts.ts';
import { sendMessage } from '#functions/messages/contracts.ts';
import { createPreview } from '#functions/previews/contracts.ts';
import { seededNumbers } from '#local/seed.ts';
import { pathOf } from '#shared/http/path.ts';
import type { Contract } from '#shared/operations/contract.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { sdpOf } from '#support/sdp.ts';
import { type FlowService, newFlow, startFlowService } from '../../support/flows/flow-service.ts';
import { killFunction } from '../../support/processes.ts';

/** Longer than every lease, and shorter than the time for which a key is remembered. */
const later = { clockOffsetSeconds: 120 };

const number = seededNumbers[0] as PhoneNumber;
const params = { number: number.id };
const sdp = sdpOf('offer');

let dataDir: string;
let service: FlowService;
/** The next run of a machine on which functions were killed. */
let nextRun: FlowService;
let workspace: string;

interface Killed {
  contract: Contract;
  options: { params: Record<string, string>; body: object; headers: Record<string, string> };
}

const message = (to: string, key: string): Killed => ({
  contract: sendMessage,
  options: { params, body: { to, type: 'text', text: { body: 'Hi' } }, headers: { 'idempotency-key': key } },
});
const sent = message('5511900000001', 'sent');
const unsent = message('5511900000002', 'unsent');
const called: Killed = {
  contract: makeCall,
  options: {
    params,
    body: { to: '5511900000003', connection: { webrtc: { sdp } }, session: { sdp } },
    headers: { 'idempotency-key': 'called' },
  },
};
let created: Killed;
let notCreated: Killed;
let preview: Killed;
let previewed: { status: number; text: string };
/** The statuses of a further request with the key, right after each kill. */
const rightAfter: number[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'idempotency-'));
  service = await startFlowService({ dataDir });
  workspace = await service.newWorkspace();
  const flow = (key: string): Killed => ({
    contract: createFlow,
    options: { params: { workspace }, body: newFlow(), headers: { 'idempotency-key': key } },
  });
  [created, notCreated] = [flow('created'), flow('not-created')];

  await killDuring(sent, 'send_message', 'SendMessage', 'accept_then_timeout');
  await killDuring(unsent, 'send_message', 'SendMessage', 'timeout');
  await killDuring(called, 'connect_call', 'MakeCall', 'accept_then_timeout');
  await killDuring(created, 'create_flow', 'CreateFlow', 'accept_then_timeout');
  await killDuring(notCreated, 'create_flow', 'CreateFlow', 'timeout');

  const { id } = await service.draft(workspace);
  const ofWorkspace = { ...number, id: '33333339-3333-4333-8333-333333333333', workspace, phone_number_id: '39' };
  await numberStore(service.world.table).create(ofWorkspace);
  preview = {
    contract: createPreview,
    options: {
      params: { workspace, flow: id },
      body: { number: ofWorkspace.id, valid_until: 6 },
      headers: { 'idempotency-key': 'preview' },
    },
  };
  previewed = await service.api.call(createPreview, preview.options);

  await service.close();
  nextRun = await startFlowService({ dataDir, ...later });
});
afterAll(async () => {
  await nextRun.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Kills the function while it waits for the upstream, which has carried out the request or has not. */
async function killDuring(
  { contract, options }: Killed,
  operation: string,
  functionName: string,
  kind: 'accept_then_timeout' | 'timeout',
): Promise<void> {
  const arrivals = async () =>
    (await service.upstreamRequests()).filter((request) => request.operation === operation).length;
  const before = await arrivals();
  await service.fault(operation, { kind });
  const response = fetch(service.baseUrl + pathOf(contract.path, options.params as never), {
    method: contract.method,
    headers: {
      ...options.headers,
      authorization: `Bearer ${service.world.description.tokens.owner}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(options.body),
  });
  await vi.waitFor(async () => expect(await arrivals()).toBeGreaterThan(before), { timeout: 300_000 });
  killFunction(functionName);
  expect((await response).status).toBe(500);
  rightAfter.push((await service.api.call(contract, options)).status);
}

const again = ({ contract, options }: Killed) => nextRun.api.call(contract, options);
const sentTo = async (contact: string) => {
  const { data } = await nextRun.simulate<{ data: { contact: string }[] }>('messages');
  return data.filter((each) => each.contact === contact);
};

it('a key whose function was killed is in progress until its lease has expired', () => {
  expect(rightAfter).toEqual([409, 409, 409, 409, 409]);
});

describe('after the lease, a further request with the key', () => {
  it('does not send a message again, whether or not it was sent', async () => {
    for (const request of [sent, unsent, sent]) {
      const { status, message: said } = await again(request);
      expect([status, said]).toEqual([504, expect.stringContaining('not repeated')]);
    }
    expect(await sentTo('5511900000001')).toHaveLength(1);
    expect(await sentTo('5511900000002')).toEqual([]);
  });

  it('after the lease, a further request with the key does not call again', async () => {
    expect((await again(called)).status).toBe(504);
    const requests = await nextRun.upstreamRequests();
    expect(requests.filter(({ operation }) => operation === 'connect_call')).toEqual([]);
  });

  it.each([
    ['finds the Flow that the platform has created', () => created],
    ['creates a Flow that the platform has not created', () => notCreated],
  ])('%s', async (_, killed) => {
    const request = killed();
    const first = await again(request);
    expect(first.status, first.text).toBe(201);
    const named = (await nextRun.upstreamFlows()).filter(
      ({ name }) => name === Reflect.get(request.options.body, 'name'),
    );
    expect(named.map(({ id }) => id)).toEqual([(first.body as { wa_id: string }).wa_id]);
    const second = await again(request);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });

  it('replays a response that was complete, with its secret', async () => {
    expect(previewed.status).toBe(201);
    const { status, text } = await again(preview);
    expect([status, text]).toEqual([201, previewed.text]);
  });
});
