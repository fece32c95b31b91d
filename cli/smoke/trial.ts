import { setTimeout as wait } from 'node:timers/promises';
import { erasePreview } from '#shared/adapters/stack/erase.ts';
import { newId } from '#shared/base/ids.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { appSecrets } from '#shared/domain/access/upstream-credentials.ts';
import { hubSignature, hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { eventsPath } from '#shared/http/contract/linked-paths.ts';
import type { Place } from './place.ts';
import type { Removal } from './removal.ts';
import { send } from './request.ts';
import { largeText, type Temporary } from './temporary.ts';

/** One thing that a trial tries. It throws an error that says what is wrong. */
export interface Step {
  name: string;
  run(): Promise<void>;
}

interface Trial {
  place: Place;
  temporary: Temporary;
  /** Where notifications go. Without one, they go to a name that does not exist, and their attempts must fail. */
  receiver: string | undefined;
  /** Removes what a step leaves. */
  later: (removal: Removal) => void;
  signal: AbortSignal;
}

/** A name that never exists (RFC 6761). */
const nowhere = 'https://smoke-test.invalid/';

interface Delivery {
  id: string;
  state: string;
  attempts?: { status?: number | null; error?: string | null }[];
}

/** What a trial tries, in order. None of it makes the service call the platform. */
export function stepsOf({ place, temporary, receiver, later, signal }: Trial): Step[] {
  const { baseUrl } = place;
  const { workspace, number, flow, token } = temporary;
  const flowUrl = `/v2/workspaces/${workspace.id}/flows/${flow}`;
  const webhookUrl = `/v2/messaging/numbers/${number.id}/webhook`;

  async function call(method: string, path: string, init: { body?: unknown; headers?: Record<string, string> } = {}) {
    const { body, headers } = init;
    const request = {
      method,
      redirect: 'manual' as const,
      headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    const response = await send(new URL(path, baseUrl), request, signal);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Calls the service as the temporary user, and expects a status. */
  async function api(
    method: string,
    path: string,
    status: number,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await call(method, path, { body, headers: { authorization: `Bearer ${token}`, ...headers } });
    expectStatus(`${method} ${path}`, response, status);
    return Object(parseJson(response.text));
  }

  async function sendEvent(body: string, signature: string) {
    return call('POST', eventsPath, {
      body,
      headers: { 'content-type': 'application/json', [hubSignatureHeader]: signature },
    });
  }

  /** Sends a message as the platform does, and waits until its delivery has had an attempt. */
  async function deliver(id: string, text: string): Promise<Delivery> {
    const [secret] = appSecrets(await place.credentials());
    if (secret === undefined)
      throw new Error(
        'The secret has no app secret yet. Store the credentials first, with the command "upstream set".',
      );
    const earlier = new Set((await deliveries()).map((delivery) => delivery.id));
    const body = JSON.stringify(eventOf(temporary, id, text));
    expectStatus(`POST ${eventsPath}`, await sendEvent(body, hubSignature(body, secret)), 200);
    return until(signal, 'the notification had no attempt', async () => {
      const delivery = (await deliveries()).find((each) => !earlier.has(each.id));
      return delivery && (delivery.attempts?.length ?? 0) > 0 && delivery.state !== 'sending' ? delivery : undefined;
    });
  }

  const deliveries = async (): Promise<Delivery[]> => (await api('GET', `${webhookUrl}/deliveries`, 200)).data;

  function expectOutcome({ state, attempts = [] }: Delivery): void {
    const { status, error } = attempts.at(-1) ?? {};
    const outcome = `${state}, after an attempt with ${status ?? error}`;
    if (receiver !== undefined && state !== 'delivered')
      throw new Error(`The receiver did not get it: it is ${outcome}.`);
    if (receiver === undefined && (state !== 'waiting' || typeof status === 'number')) {
      throw new Error(`Nobody is at ${nowhere}, and yet the notification is ${outcome}.`);
    }
  }

  return [
    {
      name: 'the API responds',
      run: async () => expectStatus('GET /v2/openapi.json', await call('GET', '/v2/openapi.json'), 200),
    },
    {
      name: 'a request needs a valid token',
      async run() {
        expectStatus('GET /v2/workspaces without a token', await call('GET', '/v2/workspaces'), 401);
        const wrong = await call('GET', '/v2/workspaces', { headers: { authorization: 'Bearer msgs_wrong' } });
        if (![401, 403].includes(wrong.status)) throw new Error(`A wrong token got ${wrong.status}.`);
        const { data } = await api('GET', '/v2/workspaces', 200);
        if (!data?.some?.(({ id }: { id: string }) => id === workspace.id)) {
          throw new Error('The user does not see its workspace.');
        }
      },
    },
    {
      name: 'the platform can verify the address of events',
      async run() {
        const { verify_token = '' } = await place.credentials();
        const query = (verifyToken: string) =>
          `${eventsPath}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '42' })}`;
        const right = await call('GET', query(verify_token));
        expectStatus('The verify token of the secret', right, 200);
        if (right.text !== '42') throw new Error('The challenge did not come back.');
        expectStatus('Another verify token', await call('GET', query('wrong')), 403);
      },
    },
    {
      name: 'events need the signature of the platform',
      run: async () =>
        expectStatus(
          `POST ${eventsPath} with a wrong signature`,
          await sendEvent('{}', hubSignature('{}', 'wrong')),
          401,
        ),
    },
    {
      name: 'a webhook can be set',
      run: async () => void (await api('PUT', webhookUrl, 200, { webhook: receiver ?? nowhere })),
    },
    {
      name: 'an event becomes a notification, goes through the queue and is attempted',
      run: async () => expectOutcome(await deliver('wamid.smoke-small', 'smoke test')),
    },
    {
      name: 'a large notification goes through the bucket',
      async run() {
        const delivery = await deliver('wamid.smoke-large', largeText);
        expectOutcome(delivery);
        const { payload, payload_url } = await api('GET', `${webhookUrl}/deliveries/${delivery.id}`, 200);
        if (!String(payload).includes('canary'))
          throw new Error(`The payload of the delivery is missing (${payload_url}).`);
      },
    },
    {
      name: 'a large Flow JSON is read from the bucket',
      async run() {
        const { json } = await api('GET', flowUrl, 200);
        if (!JSON.stringify(json ?? null).includes('canary')) throw new Error('The Flow comes without its JSON.');
      },
    },
    {
      name: 'a repeated request with an Idempotency-Key has one effect, and the preview page runs the Flow',
      async run() {
        const body = { number: number.id, valid_until: 1 };
        const key = { 'idempotency-key': temporary.flow };
        // Has no effect, so that it frees the key.
        await api('POST', `${flowUrl}/preview`, 422, { ...body, number: newId() }, key);
        const first = await api('POST', `${flowUrl}/preview`, 201, body, key);
        later({ what: 'the preview', remove: () => erasePreview(first.id, place.table) });
        const repeated = await api('POST', `${flowUrl}/preview`, 201, body, key);
        if (repeated.id !== first.id) {
          later({ what: 'the second preview', remove: () => erasePreview(repeated.id, place.table) });
          throw new Error('The repeated request made a second preview.');
        }
        await openPreview(new URL(first.url).pathname, first.secret);
      },
    },
    {
      name: 'a file can be uploaded to the bucket',
      async run() {
        const file = 'smoke test';
        const uploads = `/v2/messaging/numbers/${number.id}/media/uploads`;
        const upload = await api('POST', uploads, 201, { type: 'text/plain', size: file.length });
        // Only before the file is there: afterwards, the service would pass it on to the platform.
        await api('POST', `${uploads}/${upload.upload}/complete`, 409);
        const { method, headers } = upload;
        const response = await send(upload.url, { method, headers, body: file }, signal);
        if (!response.ok) throw new Error(`The bucket responded ${response.status}: ${await response.text()}`);
      },
    },
    {
      name: 'there are no dead letters',
      async run() {
        const count = await place.countDeadLetters();
        if (count > 0) throw new Error(`There are about ${count} dead letters (docs/operating.md, "Dead letters").`);
      },
    },
    ...(place.alarms ? [alarmsStep(place.alarms)] : []),
  ];

  async function openPreview(path: string, secret: string): Promise<void> {
    expectStatus('The preview page', await call('GET', path), 200);
    const unlocked = await call('POST', path, {
      body: new URLSearchParams({ secret }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expectStatus('Unlocking the preview', unlocked, 303);
    const cookie = String(unlocked.headers.get('set-cookie')).split(';', 1)[0] ?? '';
    const page = await call('GET', path, { headers: { cookie } });
    expectStatus('The unlocked preview page', page, 200);
    const source = /<script [^>]*src="([^"]+)"/.exec(page.text)?.[1];
    if (source === undefined) throw new Error('The unlocked preview page has no script.');
    const script = new URL(source, new URL(path, baseUrl)).pathname;
    expectStatus(`GET ${script}`, await call('GET', script), 200);
  }
}

function alarmsStep(alarms: NonNullable<Place['alarms']>): Step {
  return {
    name: 'no alarm is going off',
    async run() {
      const { count, goingOff } = await alarms();
      if (count === 0) throw new Error('The stack has no alarms.');
      if (goingOff.length > 0)
        throw new Error(`These alarms are going off: ${goingOff.join(', ')} (docs/operating.md).`);
    },
  };
}

/** What no trial checks, and which calls of AWS only that makes, as `rights.ts` of the tests writes them. */
export const neverChecked: readonly { what: string; calls: readonly string[] }[] = [
  {
    what: 'calls of the WhatsApp Cloud API (sending, calls, media, publishing): a trial makes none, so it needs no number there and tests no access token',
    calls: [],
  },
  {
    what: 'changes of a Flow, which write a large Flow JSON to the bucket and delete it',
    calls: ['s3:PutObject bucket/flows/*', 's3:DeleteObject bucket/flows/*'],
  },
  {
    what: 'files that the platform delivers, which go to the bucket in parts',
    calls: [
      's3:PutObject bucket/media/*',
      's3:GetObject bucket/media/*',
      's3:AbortMultipartUpload bucket/media/*',
      's3:DeleteObject bucket/media/*',
    ],
  },
  {
    what: 'exchanges of dynamic Flows, with their keys in Secrets Manager, which are created and read',
    calls: ['secretsmanager:CreateSecret secret flow-keys/*', 'secretsmanager:GetSecretValue secret flow-keys/*'],
  },
  {
    what: 'workspaces with credentials of their own, which are read from Secrets Manager',
    calls: ['secretsmanager:GetSecretValue secret credentials/*'],
  },
  {
    what: 'slow receivers, which have a queue of their own',
    calls: ['sqs:SendMessage <SlowNotificationQueue.Arn>'],
  },
  { what: 'waits of more than 15 minutes, which the sweep ends', calls: [] },
];

function expectStatus(what: string, { status, text }: { status: number; text: string }, expected: number): void {
  if (status !== expected) throw new Error(`${what} got ${status} instead of ${expected}: ${text.slice(0, 300)}`);
}

const polling = { everyMs: 500, atMostMs: 60_000 };

async function until<T>(signal: AbortSignal, problem: string, read: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + polling.atMostMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`After ${polling.atMostMs / 1000} s ${problem}.`);
    await wait(polling.everyMs, undefined, { signal });
  }
}

/** A message of a contact, as the platform sends it. */
function eventOf({ workspace, number }: Temporary, id: string, text: string) {
  const contact = '15550000000';
  const message = {
    from: contact,
    id: `${id}-${number.id}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: text },
  };
  const { phone_number_id, display_phone_number } = number;
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number, phone_number_id },
    contacts: [{ profile: { name: 'Smoke test' }, wa_id: contact }],
    messages: [message],
  };
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: workspace.waba_id, changes: [{ field: 'messages', value }] }],
  };
}
