import { setTimeout as wait } from 'node:timers/promises';
import { appSecrets } from '#shared/accounts/event-signature.ts';
import { newId } from '#shared/base/ids.ts';
import { parseJson } from '#shared/base/json.ts';
import { eventsPath } from '#shared/http/path.ts';
import { hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import type { Service } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { largeText, type Temporary } from './temporary.ts';

/** What a trial tries, in order, by what is right about it. A step throws a `Rejection` that says what is wrong. */
type Steps = Record<string, () => Promise<unknown>>;

interface Trial {
  service: Service;
  temporary: Temporary;
  /** Where notifications go. Without one, they go to a name that does not exist, and their attempts must fail. */
  receiver: string | undefined;
  signal: AbortSignal;
}

/** A name that never exists (RFC 6761). */
const nowhere = 'https://smoke-test.invalid/';

/** Responses take less than 30 s: API Gateway ends what takes longer. */
const patienceMs = 40_000;
const polling = { everyMs: 500, atMostMs: 60_000 };

interface Delivery {
  id: string;
  state: string;
  attempts?: { status?: number | null; error?: string | null }[];
}

/** The steps of a trial. None of them makes the service call the platform. */
export function stepsOf({ service, temporary, receiver, signal }: Trial): Steps {
  const { workspace, number, flow, token } = temporary;
  const { readDeadLetters, readAlarms } = service.surroundings;
  const flowUrl = `/v2/workspaces/${workspace.id}/flows/${flow}`;
  const webhookUrl = `/v2/messaging/numbers/${number.id}/webhook`;
  const credentials = () => service.upstream().credentials();

  /** Sends a request, and expects a status. */
  async function request(
    method: string,
    path: string,
    status: number,
    init: Pick<RequestInit, 'body' | 'headers'> = {},
  ) {
    const url = new URL(path, service.baseUrl);
    // Without what may be secret in a query.
    const what = `${method} ${url.origin}${url.pathname}`;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const response = await fetch(url, { method, redirect: 'manual', signal: patience, ...init }).catch((error) => {
      const { message, code } = error.cause ?? error;
      const remedy = 'Does DNS lead to the service? See docs/deploying.md, "Custom domain".';
      throw new Rejection(`${what} got no response: ${message || code}. ${remedy}`);
    });
    const text = await response.text();
    if (response.status === status) return { headers: response.headers, text };
    throw new Rejection(`${what} got ${response.status} instead of ${status}: ${text.slice(0, 300)}`);
  }

  /** Calls the service as the temporary user. */
  async function api(method: string, path: string, status: number, body?: object, headers = {}) {
    const init = {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    return Object(parseJson((await request(method, path, status, init)).text));
  }

  /** Sends an event, signed with the secret. */
  function sendEvent(body: string, secret: string, status: number) {
    const headers = { 'content-type': 'application/json', [hubSignatureHeader]: hubSignature(body, secret) };
    return request('POST', eventsPath, status, { body, headers });
  }

  const deliveries = async (): Promise<Delivery[]> => (await api('GET', `${webhookUrl}/deliveries`, 200)).data;

  /** Sends a message as the platform does, waits for the attempt of its delivery, and expects the right outcome. */
  async function deliver(message: string, text: string): Promise<Delivery> {
    const [secret] = appSecrets(await credentials());
    if (secret === undefined) {
      throw new Rejection(`No app secret is stored. Store the credentials first: ${service.hint`upstream set`}`);
    }
    const earlier = new Set((await deliveries()).map(({ id }) => id));
    await sendEvent(JSON.stringify(eventOf(temporary, message, text)), secret, 200);
    for (let left = polling.atMostMs; left > 0; left -= polling.everyMs) {
      const delivery = (await deliveries()).find(({ id }) => !earlier.has(id));
      if (delivery?.attempts?.length && delivery.state !== 'sending') return expectOutcome(delivery);
      await wait(polling.everyMs, undefined, { signal });
    }
    throw new Rejection(`After ${polling.atMostMs / 1000} s the notification had no attempt.`);
  }

  function expectOutcome(delivery: Delivery): Delivery {
    const { state, attempts = [] } = delivery;
    const { status, error } = attempts.at(-1) ?? {};
    const isUnreached = state === 'waiting' && typeof status !== 'number';
    if (receiver === undefined ? isUnreached : state === 'delivered') return delivery;
    throw new Rejection(`The notification is ${state}, after an attempt with ${status ?? error}.`);
  }

  /** Opens the preview as a person does: the page, its form, and the script that runs the Flow. */
  async function openPreview(path: string, secret: string): Promise<void> {
    await request('GET', path, 200);
    const { headers } = await request('POST', path, 303, { body: new URLSearchParams({ secret }) });
    const cookie = String(headers.get('set-cookie')).split(';', 1)[0] ?? '';
    const { text } = await request('GET', path, 200, { headers: { cookie } });
    const source = /<script [^>]*src="([^"]+)"/.exec(text)?.[1];
    if (source === undefined) throw new Rejection('The unlocked preview page has no script.');
    await request('GET', new URL(source, new URL(path, service.baseUrl)).pathname, 200);
  }

  return {
    'the API responds': () => request('GET', '/v2/openapi.json', 200),

    async 'a request needs a valid token'() {
      await request('GET', '/v2/workspaces', 401);
      await request('GET', '/v2/workspaces', 401, { headers: { authorization: 'Bearer msgs_wrong' } });
      const { data } = await api('GET', '/v2/workspaces', 200);
      if (!JSON.stringify(data).includes(workspace.id)) throw new Rejection('The user does not see its workspace.');
    },

    async 'the platform can verify the address of events'() {
      const { verify_token = '' } = await credentials();
      const verify = (verifyToken: string, status: number) => {
        const query = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '42' };
        return request('GET', `${eventsPath}?${new URLSearchParams(query)}`, status);
      };
      if ((await verify(verify_token, 200)).text !== '42') throw new Rejection('The challenge did not come back.');
      await verify('wrong', 403);
    },

    'events need the signature of the platform': () => sendEvent('{}', 'wrong', 401),

    'a webhook can be set': () => api('PUT', webhookUrl, 200, { webhook: receiver ?? nowhere }),

    'an event becomes a notification, goes through the queue and is attempted': () =>
      deliver('wamid.smoke-small', 'smoke test'),

    async 'a large notification goes through the bucket'() {
      const { id } = await deliver('wamid.smoke-large', largeText);
      const { payload } = await api('GET', `${webhookUrl}/deliveries/${id}`, 200);
      if (!String(payload).includes('canary')) throw new Rejection('The payload of the delivery is missing.');
    },

    async 'a large Flow JSON is read from the bucket'() {
      const { json } = await api('GET', flowUrl, 200);
      if (!JSON.stringify(json ?? null).includes('canary')) throw new Rejection('The Flow comes without its JSON.');
    },

    async 'a repeated request with an Idempotency-Key has one effect, and the preview page runs the Flow'() {
      const body = { number: number.id, valid_until: 1 };
      const create = (status: number, changes = {}) =>
        api('POST', `${flowUrl}/preview`, status, { ...body, ...changes }, { 'idempotency-key': flow });
      // Has no effect, so that it frees the key.
      await create(422, { number: newId() });
      const { id, url, secret } = await create(201);
      if ((await create(201)).id !== id) throw new Rejection('The repeated request made a second preview.');
      await openPreview(new URL(url).pathname, secret);
    },

    async 'a file can be uploaded to the bucket'() {
      const body = 'smoke test';
      const uploads = `/v2/messaging/numbers/${number.id}/media/uploads`;
      const file = { type: 'text/plain', size: body.length };
      const { upload, url, method, headers } = await api('POST', uploads, 201, file);
      // Only before the file is there: afterwards, the service would pass it on to the platform.
      await api('POST', `${uploads}/${upload}/complete`, 409);
      await request(method, url, 200, { headers, body });
    },

    ...(readDeadLetters && {
      async 'there are no dead letters'() {
        const { count } = await readDeadLetters();
        if (count > 0) throw new Rejection(`There are about ${count} (docs/operating.md, "Dead letters").`);
      },
    }),

    ...(readAlarms && {
      async 'no alarm is going off'() {
        const { count, goingOff } = await readAlarms();
        if (count === 0) throw new Rejection('The stack has no alarms.');
        if (goingOff.length > 0) throw new Rejection(`${goingOff.join(', ')} (docs/operating.md).`);
      },
    }),
  };
}

/** What no trial checks. */
export const neverChecked: readonly string[] = [
  'calls of the WhatsApp Cloud API: sending, calls, media, publishing',
  'changes of a Flow, which write a large Flow JSON to the bucket and delete it',
  'files that the platform delivers, which go to the bucket in parts',
  'exchanges of dynamic Flows, with their keys in Secrets Manager, which are created and read',
  'workspaces with credentials of their own, which are read from Secrets Manager',
  'waits of more than 15 minutes, which the sweep ends',
];

/** A message of a contact, with what the service reads of it. */
function eventOf({ workspace, number }: Temporary, id: string, text: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: number.phone_number_id, display_phone_number: number.display_phone_number },
    messages: [{ from: '15550000000', id: `${id}-${number.id}`, timestamp, type: 'text', text: { body: text } }],
  };
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: workspace.waba_id, changes: [{ field: 'messages', value }] }],
  };
}
