import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { readBody } from '../aws/base/http/read-body.ts';
import type { Part } from '../parts.ts';
import type { Entry, RecordedBody, RecordedField } from './recording.ts';

/** A file of 100 MB in a form. */
const maxBodyBytes = 110 * 1024 * 1024;

/** What is not passed on: it describes one connection, or the body as it is sent. */
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'host',
  'accept-encoding',
  'expect',
]);

export interface Recorder {
  readonly entries: readonly Entry[];
  /** Stands in front of the platform, and records what passes. */
  startProxy(platformUrl: string): Promise<Part & { url: string }>;
  /** Records the body of a request of the platform. */
  noteEvent(body: Buffer): void;
}

/** Records in memory, with secrets and all: what is written to a file must be redacted first. */
export function createRecorder(now: () => number = Date.now): Recorder {
  const entries: Entry[] = [];
  const start = now();
  const at = () => now() - start;

  async function pass(platformUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = at();
    const { method = 'GET', url = '/' } = request;
    const body = (await readBody(request, maxBodyBytes)) ?? Buffer.alloc(0);
    const headers = Object.entries(request.headersDistinct)
      .filter(([name]) => !ownHeaders.has(name))
      .flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
    const answer = await fetch(platformUrl + url, {
      method,
      headers,
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { pathname, searchParams } = new URL(url, platformUrl);
    entries.push({
      at: began,
      request: {
        method,
        path: pathname,
        ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
        ...present('body', await readable(body, request.headers['content-type'])),
      },
      response: {
        status: answer.status,
        ...present('body', await readable(bytes, answer.headers.get('content-type'))),
      },
    });
    response.writeHead(answer.status, [...answer.headers].filter(([name]) => !ownHeaders.has(name)).flat());
    response.end(bytes);
  }

  return {
    entries,
    async startProxy(platformUrl) {
      const server = createServer(
        localRequests(
          (request, response) => void pass(platformUrl, request, response).catch(() => response.destroy()),
          { foreignPagesMayWrite: false },
        ),
      );
      return listenOnLoopback(server, 0);
    },
    noteEvent(body) {
      const event = parseJson(body.toString());
      if (event !== undefined) entries.push({ at: at(), event });
    },
  };
}

/** A body as a recording shows it, or undefined if there is none. */
async function readable(bytes: Buffer, contentType: string | null | undefined): Promise<RecordedBody | undefined> {
  if (bytes.length === 0) return undefined;
  const type = contentType ?? 'application/octet-stream';
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)) {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => undefined);
    if (form) return { form: await Promise.all([...form].map(readField)) };
  }
  const json = /^(?:application|text)\/(?:[\w.+-]*json|javascript)/i.test(type)
    ? parseJson(bytes.toString())
    : undefined;
  return json === undefined ? { bytes: { type, size: bytes.length } } : { json };
}

async function readField([name, value]: [string, string | File]): Promise<RecordedField> {
  if (typeof value === 'string') return { name, value };
  const json = value.type === 'application/json' ? parseJson(await value.text()) : undefined;
  return { name, file: { type: value.type, size: value.size, ...(json !== undefined && { json }) } };
}

const present = <V>(name: 'body', value: V | undefined) => (value === undefined ? {} : { [name]: value });
