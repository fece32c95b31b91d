import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { readBody } from '#local/aws/base/http/read-body.ts';
import { startUpstream, type UpstreamOptions } from '#local/graph/server.ts';
import { sealRequest } from '#shared/flow-endpoint/envelope.ts';
import { publishableFlow } from '../publishable-flow.ts';

export const wabaId = '102290129340398';
export const otherWabaId = '102290129340399';
/** A phone number with calling, and one without it. */
export const phoneNumberId = '106540352242922';
export const silentPhoneNumberId = '106540352242923';
export const accessToken = 'EAAtest';
export const appSecret = 'app-secret';

/** A Flow JSON without faults. */
export const validFlowJson = JSON.stringify(publishableFlow);

/** A Flow JSON that exchanges data with an endpoint. */
export const endpointFlowJson = JSON.stringify({
  ...publishableFlow,
  data_api_version: '3.0',
  routing_model: { WELCOME: [] },
});

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape.
  readonly json: any;
}

/** A simulated upstream with two accounts, and clients of its two surfaces. Close it when the test is over. */
export async function startTestUpstream(options: Partial<UpstreamOptions> = {}) {
  const phone_numbers = [
    { id: phoneNumberId, display_phone_number: '+1 555-078-3881', calling_enabled: true },
    { id: silentPhoneNumberId, display_phone_number: '+1 555-078-3882' },
  ];
  const upstream = await startUpstream({
    accounts: [
      { waba_id: wabaId, name: 'Lucky Shrub', phone_numbers },
      { waba_id: otherWabaId, phone_numbers: [] },
    ],
    accessToken,
    appSecret,
    sealRequest,
    ...options,
  });

  /** A JSON object is sent as JSON, a form as multipart or urlencoded. */
  async function graph(method: string, path: string, body?: Record<string, unknown> | FormData | URLSearchParams) {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const headers: Record<string, string> = { authorization: `Bearer ${accessToken}` };
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
    return read(
      await fetch(`${upstream.url}/v25.0${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      }),
    );
  }

  async function control(method: string, path: string, body?: unknown) {
    const init =
      body === undefined
        ? { method }
        : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return read(await fetch(`${upstream.url}/simulator${path}`, init));
  }

  async function createFlow(body: Record<string, unknown> = {}, waba = wabaId): Promise<string> {
    const name = `flow ${Math.random()}`;
    const answer = await graph('POST', `/${waba}/flows`, { name, categories: ['OTHER'], ...body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
    return answer.json.id;
  }

  async function statusOf(id: string): Promise<string> {
    return (await graph('GET', `/${id}`)).json.status;
  }

  /** Brings a Flow into the given state, with Graph's own operations and Meta's monitoring. */
  async function createFlowIn(status: string): Promise<string> {
    const id = await createFlow({ flow_json: validFlowJson });
    if (status === 'DRAFT') return id;
    await graph('POST', `/${id}/publish`);
    if (status === 'DEPRECATED') await graph('POST', `/${id}/deprecate`);
    else await control('POST', `/flows/${id}/status`, { status });
    return id;
  }

  return { ...upstream, graph, control, createFlow, createFlowIn, statusOf };
}

export const verifyToken = 'verify-token';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * A callback URL that completes the handshake and records the webhooks that it gets. It responds with these statuses,
 * then with 200. Close it when the test is over.
 */
export async function startReceiver(...statuses: number[]) {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const query = new URL(`http://receiver${request.url}`).searchParams;
    if (request.method === 'GET') {
      const verified = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === verifyToken;
      response.writeHead(verified ? 200 : 403).end(verified ? query.get('hub.challenge') : '');
      return;
    }
    const body = (await readBody(request, 16 * 1024 * 1024)) ?? Buffer.alloc(0);
    received.push({ headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 200, { location: '/elsewhere' }).end('received');
  });
  /** What the webhooks say so far. */
  const values = () => received.map(({ body }) => JSON.parse(body.toString()).entry[0].changes[0].value);
  return { ...(await listenOnLoopback(server, 0)), received, values };
}

export function assetForm(flowJson: string): FormData {
  const form = new FormData();
  form.set('file', new File([flowJson], 'flow.json', { type: 'application/json' }));
  form.set('name', 'flow.json');
  form.set('asset_type', 'FLOW_JSON');
  return form;
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: JSON.parse(text) };
}
