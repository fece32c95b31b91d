import demoFlow from '#local/demo-flow.json' with { type: 'json' };
import type { WorldDescription } from '#local/world-description.ts';
import { hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { dynamicFlowJson } from '#support/flows/dynamic-flow.ts';
import { sdpOf } from '#support/sdp.ts';
import type { Customer } from './customer.ts';

/** Gives the world something in every state, and returns what requests can name. */
export async function fillWorld(world: WorldDescription, { url, clearUrl, pickedFile }: Customer) {
  const { base_url, upstream_url, tokens, app_secret, verify_token, workspaces, numbers } = world;
  const [workspace, number] = [workspaces[0]?.id, numbers[0]?.id];
  const [ofWorkspace, ofNumber] = [`/v2/workspaces/${workspace}`, `/v2/messaging/numbers/${number}`];

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, base_url), {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  // biome-ignore lint/suspicious/noExplicitAny: each response has a form of its own.
  const json = async (...request: Parameters<typeof send>): Promise<any> => (await send(...request)).json();

  async function newFlow(name: string, isEncrypted = true): Promise<string> {
    const endpoint = { endpoint_url: isEncrypted ? url : clearUrl, endpoint_encrypted: isEncrypted };
    const { id } = await json('POST', `${ofWorkspace}/flows`, { name, categories: [3], ...endpoint });
    await send('PUT', `${ofWorkspace}/flows/${id}/json`, { json: isEncrypted ? demoFlow : dynamicFlowJson });
    return id;
  }

  /** Lets a contact pick a photo, of which the endpoint gets the address. */
  async function newPhoto(flow: string): Promise<string> {
    await send('POST', `${ofWorkspace}/flows/${flow}/publish`);
    const content = { flow, cta: 'Send', body: 'Send a photo' };
    const sent = await json('POST', `${ofNumber}/messages`, { to: '15550100993', type: 'flow', flow: content });
    const message = `${upstream_url}/simulator/messages/${encodeURIComponent(sent.messages[0].id)}`;
    await send('POST', `${message}/open-flow`);
    const file = { file_name: 'IMG_1.jpg', mime_type: 'image/jpeg', base64: 'cGhvdG8=' };
    const photo = await json('POST', `${message}/pick-file`, file);
    await send('POST', `${message}/exchange-data`, { data: { photos: [photo] } });
    return pickedFile();
  }

  // The callers are patient, so that their calls last until the operations on calls are tried.
  await send('PATCH', `${upstream_url}/simulator/calling`, { ring_seconds: 3_600 });
  const media: string[] = [];
  // None that the platform cuts off: the response to that is a 502, which schemathesis takes for a fault of ours.
  for (const file of [{ size: 8_000_000 }, { mime_type: 'text/html' }, { expired: true }]) {
    media.push((await json('POST', `${upstream_url}/simulator/media`, file)).id);
  }
  const { phone_number_id } = numbers[0] ?? {};
  const [accepted, rejected] = await Promise.all(
    ['15550100991', '15550100992'].map((from) =>
      json('POST', `${upstream_url}/simulator/calls`, { phone_number_id, from }),
    ),
  );
  const flow: string[] = [];
  for (const name of ['A', 'B', 'C', 'D']) flow.push(await newFlow(name));
  await send('POST', `${ofWorkspace}/flows/${flow[0]}/publish`);
  const flowWithPhoto = await newFlow('Photo', false);
  const photo = await newPhoto(flowWithPhoto);
  const previewed = await newFlow('Previewed');
  const preview = await json('POST', `${ofWorkspace}/flows/${previewed}/preview`, { number, valid_until: 6 });
  const unlocked = await send('POST', `/v2/flows/preview/${preview.id}`, `secret=${preview.secret}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const cookie = unlocked.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await send('GET', `/v2/flows/preview/${preview.id}`, undefined, { cookie })).text();

  const settings = { webhook: url, secondary_webhook: url, calls_webhook: url };
  await send('PUT', `${ofNumber}/webhook`, settings);
  await send('PUT', `/v2/messaging/numbers/${numbers[1]?.id}/webhook`, { webhook: url });
  await send('PUT', `${ofWorkspace}/webhook`, { webhook: url });
  await send('POST', `${ofNumber}/service-webhook`);
  const [rotated, ...deleted] = ['rotated', 'deleted-a', 'deleted-b'];
  for (const name of [rotated, ...deleted]) await send('PUT', `${ofNumber}/webhook/targets/${name}`, { url });
  const changes = [{ field: 'account_update', value: { event: 'VERIFIED_ACCOUNT' } }];
  const entry = [{ id: workspaces[0]?.waba_id, time: Math.floor(Date.now() / 1000), changes }];
  const event = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = hubSignature(event, app_secret);
  await send('POST', '/v2/messaging/events', event, { [hubSignatureHeader]: signature });
  const upload = await json('POST', `${ofNumber}/media/uploads`, { type: 'application/pdf', size: 5 });
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: 'Hello' });

  const deliveries: { data: { id: string }[] }[] = [
    await json('GET', `${ofNumber}/webhook/deliveries`),
    await json('GET', `${ofWorkspace}/webhook/deliveries`),
  ];
  return {
    cookie,
    workspace: [workspace, workspace, workspaces[1]?.id],
    number: [number],
    flow,
    flow_with_photo: [flowWithPhoto],
    photo: [photo],
    delivery: deliveries.flatMap(({ data }) => data.map(({ id }) => id)),
    preview: [preview.id],
    secret: [preview.secret],
    file: [...page.matchAll(/"assets\/([\w.-]+)"/g)].map(([, file]) => file),
    upload: [upload.upload],
    media,
    call: [accepted.id],
    rejected_call: [rejected.id],
    url: [url],
    any_target: ['new', rotated, 'webhook'],
    rotated_target: [rotated],
    deleted_target: deleted,
    quiet_number: [numbers[1]?.id],
    quiet_target: ['webhook'],
    since: [new Date(Date.now() - 86_400_000).toISOString()],
    offer: [sdpOf('offer')],
    answer: [sdpOf('answer')],
    verify_token: [verify_token],
  };
}
