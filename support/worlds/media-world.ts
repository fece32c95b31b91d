import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '#local/aws/s3/server.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { openBucket } from '#shared/aws/bucket.ts';
import { newId } from '#shared/base/ids.ts';
import { graphClient } from '#shared/graph/graph-client.ts';
import type { MediaContext } from '#shared/media/copy-media.ts';
import { bucketLink, mediaBucket } from '#shared/media/media-bucket-store.ts';
import { mediaCopyStore } from '#shared/media/media-copy-store.ts';
import { mediaDownload, upstreamMedia } from '#shared/media/media-graph.ts';
import { accessReader } from '#shared/operations/access-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { testCredentials, testSigners } from '../aws/aws-credentials.ts';
import { startTestTable } from '../aws/dynamodb.ts';
import { type Handler, httpEvent, type RequestOptions, requestId } from '../aws/http-event.ts';
import { mark } from '../deployment.ts';
import { caller, token, workspace } from '../fakes/fake-access.ts';
import { startHttpServer } from '../http/http-server.ts';

/** A file of the upstream, and how it misbehaves. */
export interface UpstreamFixture {
  bytes: Buffer;
  mime_type?: string;
  /** Members of the description that differ from the actual bytes; `undefined` ones are left out. */
  described?: Record<string, unknown>;
  /** Responses to the first downloads, in place of the bytes. */
  downloads?: ((response: ServerResponse, bytes: Buffer) => void)[];
  /** A response in place of the description. */
  rejection?: { status: number; error: object };
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The response as a client sees it. */
export interface MediaReply {
  status: number | undefined;
  headers: Record<string, unknown>;
  bytes: Buffer;
  /** The message of an error. */
  message: string | undefined;
}

/**
 * Runs the download of media on a real table, a real bucket and an upstream over real HTTP. The upstream has the files
 * of one number and counts its requests.
 */
export async function startMediaWorld() {
  const { table, close: closeTable } = await startTestTable();
  const dataDir = await mkdtemp(join(tmpdir(), 'media-world-'));
  const s3 = await startS3({ dataDir, buckets: ['media'], signers: testSigners });
  const files = new Map<string, UpstreamFixture>();
  /** The requests to the upstream: `describe 1`, `download 1`. */
  const asked: string[] = [];

  const upstream = await startHttpServer((request, response) => {
    const url = new URL(String(request.url), 'http://upstream');
    const [, kind = '', id = ''] = url.pathname.split('/');
    const file = files.get(id);
    const isDownload = kind === 'download';
    asked.push(`${isDownload ? 'download' : 'describe'} ${id}`);
    if (isDownload) {
      const next = file?.downloads?.shift();
      if (next) next(response, file?.bytes ?? Buffer.alloc(0));
      else response.end(file?.bytes);
    } else if (!file || url.searchParams.get('phone_number_id') !== number.phone_number_id) {
      graphError(response, 400, { code: 100, error_subcode: 33, message: 'Unsupported get request.' });
    } else if (file.rejection) {
      graphError(response, file.rejection.status, file.rejection.error);
    } else {
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          messaging_product: 'whatsapp',
          id,
          url: `${upstream.url}/download/${id}?ext=1`,
          mime_type: file.mime_type ?? 'image/jpeg',
          sha256: sha256(file.bytes),
          file_size: file.bytes.length,
          ...file.described,
        }),
      );
    }
  });

  const number = numberOf(workspace.id);
  const otherNumber = numberOf(workspace.id);
  const inactiveNumber = { ...numberOf(workspace.id), active: false };
  for (const record of [number, otherNumber, inactiveNumber]) await numberStore(table).create(record);
  await workspaceStore(table).create(workspace);
  await workspaceStore(table).putMember({ workspace: workspace.id, user: token.user, role: 'member' });
  await tokenStore(table).create(token);

  const copies = mediaCopyStore(table);
  const connection = { endpoint: s3.url, region: 'us-east-1', credentials: testCredentials };
  const opened = openBucket('media', connection);
  const bucket = mediaBucket(opened);
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const accessToken = async () => 'token';

  /** The dependencies of a request, which may take `budgetMs`: much more than in a function, for busy machines. */
  function dependencies({ budgetMs = 300_000, ...overrides }: Partial<MediaContext> & { budgetMs?: number } = {}) {
    const { now } = clock;
    return {
      access: accessReader(table),
      now,
      mark,
      link: bucketLink(opened),
      contextFor: () => {
        const deadline = now() + budgetMs;
        const graph = { baseUrl: upstream.url, version: 'v25.0', timeoutMs: 60_000 };
        return {
          upstream: upstreamMedia(graphClient(graph, accessToken, deadline, now)),
          download: mediaDownload({ baseUrl: graph.baseUrl, hosts: [], accessToken, deadline, now }),
          copies,
          bucket,
          holder: newId(),
          deadline,
          // Often enough for a test, but not so often that it slows the copy on a busy machine.
          pollMs: 200,
          now,
          ...overrides,
        };
      },
    };
  }

  return {
    number,
    otherNumber,
    inactiveNumber,
    copies,
    bucket,
    clock,
    asked,
    dependencies,

    /** Adds a file of the number, with a new id. */
    add(fixture: UpstreamFixture): string {
      const id = String(BigInt(1e15) + BigInt(files.size));
      files.set(id, fixture);
      return id;
    },

    /** How often the upstream got this request. */
    count: (kind: 'describe' | 'download', id: string) => asked.filter((entry) => entry === `${kind} ${id}`).length,

    async get(handler: Handler, id: string, { pathParameters, ...options }: RequestOptions = {}): Promise<MediaReply> {
      const event = httpEvent({ caller, pathParameters: { number: number.id, id, ...pathParameters }, ...options });
      const { statusCode, headers = {}, body, isBase64Encoded } = await handler(event, context);
      const isError = (statusCode ?? 0) >= 400;
      return {
        status: statusCode,
        headers,
        bytes: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
        message: isError ? JSON.parse(body ?? '').message : undefined,
      };
    },

    async close(): Promise<void> {
      await upstream.close();
      await s3.close();
      await closeTable();
      await rm(dataDir, { recursive: true });
    },
  };
}

const context = { awsRequestId: requestId } as Parameters<Handler>[1];

const numberOf = (workspaceId: string): PhoneNumber => ({
  id: newId(),
  workspace: workspaceId,
  phone_number_id: newId(),
  display_phone_number: '+55 11 4000-0001',
  active: true,
  calling_enabled: false,
  created_at: 0,
});

function graphError(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
