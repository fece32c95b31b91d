import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEndpointOwner } from '#support/flows/flow-phone.ts';
import {
  appSecret,
  phoneNumberId,
  startReceiver,
  startTestUpstream,
  validFlowJson,
  verifyToken,
  wabaId,
} from '#support/worlds/simulated-graph.ts';
import { simulatedApp } from './core/accounts.ts';
import { sdpAnswer } from './events/samples.ts';

const contact = '5511988887777';
const permission = `/call-permissions/${phoneNumberId}/${contact}`;
const subscribedApps = `/${wabaId}/subscribed_apps`;
const callbacks = `/${phoneNumberId}?fields=webhook_configuration`;
const encryption = `/${phoneNumberId}/whatsapp_business_encryption`;

it('the simulated platform has after a restart what it had before, except for the URLs of files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const start = () => startTestUpstream({ callbackUrl: receiver.url, dataDir, now: () => 1_800_000_000_000 });
  const before = await start();
  const flow = await before.createFlow({ name: 'kept', flow_json: validFlowJson, publish: true });
  const deleted = await before.createFlow();
  await before.graph('DELETE', `/${deleted}`);
  await before.control('POST', '/calls', { phone_number_id: phoneNumberId, from: contact });
  await before.control('POST', '/calls/latest/hang-up');
  const ringing = { phone_number_id: phoneNumberId, from: '5511911112222' };
  const call_id = (await before.control('POST', '/calls', ringing)).json.id;
  await before.control('PUT', permission, { status: 'permanent' });
  await before.control('POST', '/templates', { name: 'hi', language: 'en', components: [] });
  const message = { to: contact, type: 'template', template: { name: 'hi', language: { code: 'en' } } };
  await before.graph('POST', `/${phoneNumberId}/messages`, { messaging_product: 'whatsapp', ...message });
  await expect.poll(async () => (await before.control('GET', '/messages/latest')).json.statuses).toHaveLength(2);
  await before.control('POST', '/media', { id: 'm1', size: 3_000, seed: 's' });
  await before.graph('POST', encryption, { business_public_key: (await createEndpointOwner()).publicKey });
  const asApp = `access_token=${encodeURIComponent(`${simulatedApp.id}|${appSecret}`)}`;
  const subscription = { callback_url: `${receiver.url}/app`, fields: 'messages', verify_token: verifyToken };
  await fetch(`${before.url}/${simulatedApp.id}/subscriptions?${asApp}`, {
    method: 'POST',
    body: new URLSearchParams({ object: 'whatsapp_business_account', ...subscription }),
  });
  await before.graph('POST', subscribedApps, {
    override_callback_uri: `${receiver.url}/own`,
    verify_token: verifyToken,
  });
  const stateOf = async ({ control, graph }: typeof before) => {
    const controlled = ['/flows', '/calls', '/media/m1', '/messages', '/templates', permission].map((path) =>
      control('GET', path),
    );
    const read = [subscribedApps, callbacks, encryption].map((path) => graph('GET', path));
    return (await Promise.all([...controlled, ...read])).map(({ json }) => json);
  };
  const kept = await stateOf(before);
  for (const path of ['app', 'own']) expect(JSON.stringify(kept)).toContain(`${receiver.url}/${path}`);
  const url = new URL((await before.graph('GET', '/m1')).json.url);
  await before.close();

  const after = await start();
  onTestFinished(() => after.close());
  expect(await stateOf(after)).toEqual(kept);
  expect((await after.graph('GET', `/${deleted}`)).json.error.error_subcode).toBe(33);
  expect(await after.createFlow()).not.toBe(flow);
  const session = { sdp_type: 'answer', sdp: sdpAnswer };
  const accept = { messaging_product: 'whatsapp', action: 'accept', call_id, session };
  expect((await after.graph('POST', `/${phoneNumberId}/calls`, accept)).status).toBe(200);
  url.host = new URL(after.url).host;
  const headers = { authorization: 'Bearer EAAtest' };
  expect((await fetch(url, { headers })).status).toBe(404);
  expect((await fetch((await after.graph('GET', '/m1')).json.url, { headers })).status).toBe(200);
});
