import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { runProgram } from '#support/run-program.ts';
import { startTestWorld } from '#support/worlds/world.ts';
import { type Received, startReceiver } from './receiver.ts';

const number = () => world.description.numbers[0]?.id ?? '';

const world = forAllTests(() => startTestWorld());

const authorization = () => `Bearer ${world.description.tokens.owner}`;
const webhookUrl = () => `${world.description.base_url}/v2/messaging/numbers/${number()}/webhook`;

async function sendText(body: string): Promise<void> {
  await fetch(`${world.description.upstream_url}/simulator/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ type: 'text', text: { body } }] }),
  });
}

it('the receiver shows verified notifications, and gives the number its former URL when it is closed', async () => {
  const former = 'https://example.com/former';
  const headers = { authorization: authorization(), 'content-type': 'application/json' };
  await fetch(webhookUrl(), { method: 'PUT', headers, body: JSON.stringify({ webhook: former }) });
  const received: Received[] = [];
  const receiver = await startReceiver(world.description, number(), (one) => received.push(one));
  await sendText('Hello');
  await expect.poll(() => received).toHaveLength(1);
  expect(received).toMatchObject([{ verified: true, notification: { messages: [{ text: { body: 'Hello' } }] } }]);
  await receiver.close();
  const response = await fetch(webhookUrl(), { headers: { authorization: authorization() } });
  expect(await response.json()).toMatchObject({ webhook: former });
});

it('the receiver still receives when the secret can no longer be rotated, but does not check signatures', async () => {
  const rotate = () => fetch(`${webhookUrl()}/secret`, { method: 'POST', headers: { authorization: authorization() } });
  while ((await rotate()).ok);
  const received: Received[] = [];
  const receiver = await startReceiver(world.description, number(), (one) => received.push(one));
  await sendText('Hello again');
  await expect.poll(() => received).toHaveLength(1);
  expect(received[0]).not.toHaveProperty('verified');
  await receiver.close();
});

it('the receiver shows nothing of a web page, and goes on after anything that is not a notification', async () => {
  const received: Received[] = [];
  const receiver = await startReceiver(world.description, number(), (one) => received.push(one));
  const post = async (body: string, headers = {}) =>
    (await fetch(receiver.url, { method: 'POST', body, headers })).status;
  expect(await post('{}', { origin: 'https://evil.example' })).toBe(403);
  expect(await post('no JSON')).toBe(400);
  expect(received).toEqual([]);
  expect(await post('{}')).toBe(200);
  await receiver.close();
});

it('the receiver passes the handshake of a webhook in the format of Meta', async () => {
  const received: Received[] = [];
  const headers = { authorization: authorization(), 'content-type': 'application/json' };
  const setTarget = (target: object) =>
    fetch(`${webhookUrl()}/targets/webhook`, { method: 'PUT', headers, body: JSON.stringify(target) });
  const first = await startReceiver(world.description, number(), () => undefined);
  const meta = { format: 'meta', url: first.url, verify_token: 'a-verify-token' };
  expect((await setTarget(meta)).status).toBe(200);
  const second = await startReceiver(world.description, number(), (one) => received.push(one));
  await sendText('In the format of Meta');
  await expect.poll(() => received).toMatchObject([{ notification: { object: 'whatsapp_business_account' } }]);
  await second.close();
  await setTarget({ format: 'standard' });
  await first.close();
});

it('the receiver says why it cannot receive', async () => {
  const unknown = '33333339-3333-4333-8333-333333333339';
  await expect(startReceiver(world.description, unknown, () => {})).rejects.toThrow(/GET webhook responded 404/);
});

it('the command says how to start a world that has stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stopped-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { url: base_url, close } = await startHttpServer(() => {});
  await close();
  await writeFile(join(folder, 'world.json'), JSON.stringify({ base_url, tokens: { owner: 'msgs_owner' } }));
  const words = ['receive', '--live', '0198a000-0000-7000-8000-000000000001'];
  const { stderr } = await runProgram(words, { LOCAL_DATA_DIR: folder, TOKEN: 'msgs_token' });
  expect(stderr).toBe(
    `${base_url} does not respond. Start the world first: LOCAL_DATA_DIR=${folder} ./messaging start --live\n`,
  );
});
