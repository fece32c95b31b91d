import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setCredentials } from '#cli/credentials/set-credentials.ts';
import { openService } from '#cli/service.ts';
import { openUpstream } from '#cli/upstream.ts';
import { contract as getFlowFunnel } from '#functions/flows/get-flow-funnel/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as publishFlow } from '#functions/flows/publish-flow/contract.ts';
import { contract as updateFlowJson } from '#functions/flows/update-flow-json/contract.ts';
import { contract as sendMessage } from '#functions/messages/send-message/contract.ts';
import { contract as createPreview } from '#functions/previews/create-preview/contract.ts';
import { contract as listDeliveries } from '#functions/webhooks/list-deliveries/contract.ts';
import { contract as resumeWebhook } from '#functions/webhooks/resume-webhook/contract.ts';
import { contract as rotateWebhookSecret } from '#functions/webhooks/rotate-webhook-secret/contract.ts';
import { contract as updateWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { contract as updateTarget } from '#functions/webhooks/update-webhook-target/contract.ts';
import { seededCredentials, seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { exportWorld } from '#local/transfer/export-world.ts';
import { readWorldFile, WorldFileError } from '#local/transfer/world-file.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import { hashToken } from '#shared/domain/accounts/token.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { type FlowService, startFlowService } from '../../support/flows/flow-service.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { slotsAnswer, slotsFlow } from '../browser/slots.ts';

const workspace = String(seededWorkspaces[0]?.id);
const number = seededNumbers[0] as PhoneNumber;
const other = seededNumbers[1] as PhoneNumber;
const contact = '5511900000601';
const bytes = Buffer.from([0xff, 0xd8, 0x00, 0xfe, 0x80]);

/** Secrets that the service gets from people, and that must not be in the file. */
const typed = {
  password: 'password-in-the-address',
  query: 'key-in-the-query',
  header: 'value-of-the-header',
  platformToken: 'EAAtokenOfItsOwnApp0123456789',
  platformSecret: 'secret-of-its-own-app',
  verifyToken: 'verify-token-of-the-deployment',
  link: 'token-in-the-text-of-a-message',
};

let receiver: Receiver;
let before: FlowService;
let file: string;
/** Everything that nobody but the world may know. */
const secrets: string[] = Object.values(typed);

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.script('/flow', ({ body }) => {
    const request = JSON.parse(body.toString());
    if (request.action === 'ping') return { body: JSON.stringify({ data: { status: 'active' } }) };
    return { body: JSON.stringify(slotsAnswer(request)) };
  });
  before = await startFlowService({ sweepSeconds: 1, environment: { DELIVERY_RETRY_SCHEDULE: '600' } });
  await useEverything();
  file = await exportWorld(before.world);
});
afterAll(async () => {
  await before.close();
  await receiver.close();
});

async function useEverything(): Promise<void> {
  const { api, world, simulate } = before;
  const own: Workspace = { id: '0c000000-0000-4000-8000-000000000001', name: 'Own', waba_id: null, created_at: 0 };
  await workspaceStore(world.table).create(own);
  await setOwn({ access_token: typed.platformToken, app_secret: typed.platformSecret }, own);
  await setOwn({ verify_token: typed.verifyToken });

  const host = new URL(receiver.url).host;
  const params = { number: number.id };
  await api.succeed(updateWebhook, { params, body: { webhook: `http://${host}/hook?key=${typed.query}` } });
  const headers = { 'x-key': typed.header };
  await api.succeed(updateTarget, { params: { ...params, target: 'webhook' }, body: { headers } });
  secrets.push((await api.succeed(rotateWebhookSecret, { params })).secret);
  await api.succeed(updateWebhook, { params: { number: other.id }, body: { webhook: `http://${host}/fails` } });
  receiver.script('/fails', () => ({ status: 500 }));
  secrets.push(...(await Promise.all([number, other].map(({ id }) => secretsOf(id)))).flat());

  const { id: flow } = await before.draft(workspace, {
    endpoint_url: `${receiver.url}/flow`,
    endpoint_encrypted: false,
  });
  await api.succeed(updateFlowJson, { params: { workspace, flow }, body: { json: slotsFlow } });
  await api.succeed(publishFlow, { params: { workspace, flow } });
  await api.succeed(createPreview, { params: { workspace, flow }, body: { number: number.id, valid_until: 1 } });
  const token = await before.newToken();
  secrets.push(token, hashToken(token));

  const media = await simulate<{ id: string }>('media', 'POST', {
    phone_number_id: number.phone_number_id,
    mime_type: 'image/jpeg',
    base64: bytes.toString('base64'),
  });
  await write(number, { type: 'image', image: { id: media.id, mime_type: 'image/jpeg' } });
  await write(number, { type: 'text', text: { body: `Bearer ${typed.link}, and ${token}` } });
  await write(number, { type: 'text', text: { body: `See http://user:${typed.password}@${host}/` } });
  await write(other, { type: 'text', text: { body: 'Nobody takes this' } });
  const message = { to: contact, type: 'flow', flow: { flow, cta: 'Book', body: 'Come' } };
  await api.succeed(sendMessage, { params, body: message, headers: { 'idempotency-key': 'once' } });
  const sent = await simulate<{ data: { flow_token?: string }[] }>('messages');
  secrets.push(...(JSON.stringify(sent).match(/msgf_\w{38}/g) ?? []));
  await vi.waitFor(
    async () => {
      const states = async (one: PhoneNumber) => (await deliveries(before, one)).map(({ state }) => state);
      expect([...new Set(await states(number))]).toEqual(['delivered']);
      expect(await states(other)).toEqual(['waiting']);
    },
    { timeout: 300_000, interval: 100 },
  );
}

const write = ({ phone_number_id }: PhoneNumber, message: object, { simulate } = before) =>
  simulate('events', 'POST', { events: [{ phone_number_id, contact: { wa_id: contact }, ...message }] });

async function setOwn(values: object, of?: Workspace) {
  const { aws, upstream_url } = before.world.description;
  const connection = { endpoint: aws.secrets_manager, region: aws.region, credentials: before.world.administrator };
  const place = { secretId: aws.upstream_secret, baseUrl: upstream_url, graphVersion: 'v25.0', connection };
  const service = openService({ table: before.world.table, openUpstream: (id) => openUpstream(place, id) });
  const source = { isInteractive: false, askSecret: async () => '', readInput: async () => JSON.stringify(values) };
  await setCredentials(service, of, { unchecked: true }, source);
}

async function secretsOf(id: string): Promise<string[]> {
  const found = await secretStore(before.world.table).get(id);
  return [String(found?.current), ...(found?.replaced ?? []).map(({ secret }) => secret)];
}

const deliveries = async ({ api }: FlowService, { id }: PhoneNumber) =>
  (await api.succeed(listDeliveries, { params: { number: id } })).data;

/** What a person sees of a world. */
async function shown(service: FlowService) {
  const list = async (name: string) => (await service.simulate<{ data: { id: string }[] }>(name)).data;
  const flows = await service.api.succeed(listFlows, { params: { workspace } });
  return {
    flows: flows.data.map(({ id, name, status, json }) => ({ id, name, status, json })),
    funnels: await Promise.all(
      flows.data.map(({ id }) => service.api.succeed(getFlowFunnel, { params: { workspace, flow: id } })),
    ),
    deliveries: await Promise.all(
      [number, other].map(async (one) =>
        (await deliveries(service, one)).map(({ id, state, attempts }) => [id, state, attempts.length]),
      ),
    ),
    messages: (await list('messages')).map(({ id }) => id),
    inbox: (await list('inbox')).map(({ id }) => id),
    windows: await list('windows'),
    media: await Promise.all(
      (await list('media')).map(async ({ id }) =>
        (await fetch(`${service.upstreamUrl}/simulator/media/${id}/content`)).text(),
      ),
    ),
  };
}

describe('the file of an exported world', () => {
  it('has none of the secrets that the world knows, in any form in which they are stored', () => {
    const found = [...secrets, ...Object.values(seededTokens), ...Object.values(seededCredentials)].filter((secret) =>
      [
        secret,
        Buffer.from(secret).toString('base64').slice(0, -4),
        JSON.stringify(secret).slice(1, -1),
        hashToken(secret),
      ].some((form) => file.includes(form)),
    );
    expect(found).toEqual([]);
    expect(file).not.toMatch(/PRIVATE KEY|secret_hash|aws_secret/);
    expect(secrets.length).toBeGreaterThan(12);
  });

  it('says what it contains', () => {
    expect(JSON.parse(file)).toMatchObject({
      format: 'messaging-service local world',
      version: 1,
      contains: [expect.stringContaining('phone numbers'), expect.stringContaining('Left out'), expect.any(String)],
    });
  });

  it('gives an empty world the same Flows, deliveries, chats and files, with secrets of its own', async () => {
    const after = await startFlowService({ contents: readWorldFile(Buffer.from(file)) });
    try {
      expect(await shown(after)).toEqual(await shown(before));
      const fresh = await secretStore(after.world.table).get(number.id);
      expect(secrets).not.toContain(fresh?.current);

      // The token of the sent Flow is another one, and still belongs to the message.
      const [sent] = (await after.simulate<{ data: { id: string; type: string }[] }>('messages')).data;
      await after.simulate(`messages/${encodeURIComponent(String(sent?.id))}/complete-flow`, 'POST', {
        response: { slot: 'noon' },
      });
      await expect.poll(async () => (await shown(after)).funnels.map(({ completed }) => completed)).toContain(1);
    } finally {
      await after.close();
    }
  });

  it('sends nothing to the receivers of the world that it comes from, until somebody resumes a target', async () => {
    const requests = receiver.received().length;
    const after = await startFlowService({ contents: readWorldFile(Buffer.from(file)), sweepSeconds: 1 });
    try {
      await write(number, { type: 'text', text: { body: 'Hello again' } }, after);
      await expect.poll(async () => (await deliveries(after, number))[0]?.state).toBe('held');
      expect(receiver.received().length).toBe(requests);
      await after.api.succeed(resumeWebhook, { params: { number: number.id }, body: { target: 'webhook' } });
      await expect.poll(async () => (await deliveries(after, number))[0]?.state).toBe('delivered');
    } finally {
      await after.close();
    }
  });

  it.each<[string, (text: string) => string, string]>([
    ['of another kind', () => '{"a": 1}', 'not the file of an exported world'],
    ['that is cut off', (text) => text.slice(0, -100), 'it is incomplete'],
    ['of another version', (text) => text.replace('"version": 1', '"version": 2'), 'has version 2'],
    [
      'with an item that no such file has',
      (text) => text.replace('"pk": "WORKSPACE#', '"pk": "TOKEN#'),
      'is damaged: table.',
    ],
    [
      'with a queue whose name leads out of its folder',
      (text) => text.replace(/"queues": \{\s*"/, '$&../'),
      'is damaged: queues',
    ],
    [
      'with media whose bytes are a file of this machine',
      (text) => text.replace(/"content": \{\s*"base64": "[^"]*"/, '"content": { "size": 9, "file": "/etc/hosts"'),
      'is damaged: platform has media without bytes',
    ],
  ])('is rejected with a sentence if it is one %s', (_, damage, sentence) => {
    const damaged = damage(file);
    expect(damaged).not.toBe(file);
    expect(() => readWorldFile(Buffer.from(damaged))).toThrow(WorldFileError);
    expect(() => readWorldFile(Buffer.from(damaged))).toThrow(sentence);
  });
});
