import { createServer } from 'node:http';
import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { readBody } from '../aws/base/http/read-body.ts';
import type { BusinessAccount } from '../graph/core/accounts.ts';
import { startUpstream } from '../graph/server.ts';
import { Parts } from '../parts.ts';
import type { Exchange, Json, RecordedBody } from '../recording/recording.ts';
import type { IdMap } from './ids.ts';

const accessToken = 'conform';

export interface Answer {
  readonly status: number;
  /** Undefined if the body is not JSON. */
  readonly json: Json;
  readonly isEmpty: boolean;
}

/** A fresh simulated platform, and the bodies of the events that it has sent. */
export async function startPlatform(accounts: readonly BusinessAccount[]) {
  const parts = new Parts();
  const events: Json[] = [];
  let hasEndpoint = true;
  /** The endpoints of the recorded Flows are out of reach, so their health is what the recording says. */
  const sealRequest = () => ({
    body: '{}',
    open: () => Buffer.from(JSON.stringify({ data: { status: hasEndpoint ? 'active' : '' } })),
  });
  const callback = await parts.start(
    listenOnLoopback(
      createServer((request, response) => {
        void readBody(request, 64 * 1024 * 1024).then((body) => {
          if (request.url === '/') events.push(parseJson(String(body)));
          response.writeHead(200).end();
        });
      }),
      0,
    ),
  );
  const upstream = await parts.start(
    startUpstream({ accounts, accessToken, appSecret: 'conform', sealRequest, callbackUrl: `${callback.url}/` }),
  );

  /** Flows get an endpoint within reach. */
  function withEndpoint(body: RecordedBody | undefined): RecordedBody | undefined {
    if (!isObject(body?.json) || !isUrl(body.json.endpoint_uri)) return body;
    return { ...body, json: { ...body.json, endpoint_uri: `${callback.url}/endpoint` } };
  }

  async function call(method: string, path: string, body?: RecordedBody): Promise<Answer> {
    const response = await fetch(upstream.url + path, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, ...(body?.json !== undefined && json) },
      ...(body && { body: bodyOf(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: parseJson(text), isEmpty: text === '' };
  }

  return {
    events,
    /** Where what must exist before is made. */
    account: accounts[0]?.waba_id ?? '',
    close: () => parts.close(),
    /** Sends a recorded request with the ids of this platform. */
    send({ request, response }: Exchange, ids: IdMap): Promise<Answer> {
      hasEndpoint = response.status === 200;
      const query = Object.entries(request.query ?? {}).map(([name, value]): [string, string] => [
        name,
        String(ids.apply(value)),
      ]);
      const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`;
      return call(request.method, ids.path(request.path) + search, withEndpoint(applied(request.body, ids)));
    },
    /** One of Graph's own requests, to prepare something. */
    graph: (method: string, path: string, body?: Json) =>
      call(method, `/v25.0${path}`, body === undefined ? undefined : withEndpoint({ json: body })),
    /** A control of the simulator. */
    async control(method: string, path: string, body: Json = {}): Promise<Answer> {
      return call(method, `/simulator${path}`, method === 'GET' ? undefined : { json: body });
    },
  };
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

const isUrl = (value: unknown) => typeof value === 'string' && value.startsWith('https:');

const json = { 'content-type': 'application/json' };

function applied(body: RecordedBody | undefined, ids: IdMap): RecordedBody | undefined {
  return body && { ...body, ...(body.json !== undefined && { json: ids.apply(body.json) }) };
}

function bodyOf({ json: value, form, bytes }: RecordedBody): string | FormData | Uint8Array<ArrayBuffer> {
  if (value !== undefined) return JSON.stringify(value);
  if (form === undefined) return new Uint8Array(bytes?.size ?? 0);
  const data = new FormData();
  for (const { name, value: text = '', file } of form) {
    if (file === undefined) data.append(name, text);
    else data.append(name, fileOf(file), 'file');
  }
  return data;
}

function fileOf({ type, size, json: content }: { type: string; size: number; json?: unknown }): Blob {
  return new Blob([content === undefined ? new Uint8Array(size) : JSON.stringify(content)], { type });
}
