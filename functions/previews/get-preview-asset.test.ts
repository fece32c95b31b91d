import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { previewAssets } from '#shared/previews/preview-assets.ts';
import { httpEvent } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { makeHandler } from './get-preview-asset.ts';

captureLog();

const folder = mkdtempSync(join(tmpdir(), 'assets-'));
writeFileSync(join(folder, 'preview-AB12.js'), 'run()');
writeFileSync(join(folder, 'preview-CD34.css'), 'body{}');
writeFileSync(join(folder, 'notes.txt'), 'private');
afterAll(() => rmSync(folder, { recursive: true }));

const assets = previewAssets(pathToFileURL(`${folder}/`));
const handler = makeHandler({ assets, now: Date.now, mark });

const get = (file: string, headers = {}) =>
  handler(httpEvent({ pathParameters: { file }, headers }), { awsRequestId: 'id' } as Context);

const bytesOf = ({ body = '', isBase64Encoded }: Awaited<ReturnType<typeof get>>) =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

describe('get-preview-asset', () => {
  describe.each([
    ['preview-AB12.js', 'text/javascript; charset=utf-8', 'run()'],
    ['preview-CD34.css', 'text/css; charset=utf-8', 'body{}'],
  ])('serves %s', (file, type, content) => {
    it('with headers that let browsers cache it forever', async () => {
      const answer = await get(file);
      expect(answer).toMatchObject({
        statusCode: 200,
        headers: { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' },
      });
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(bytesOf(answer).toString()).toBe(content);
    });

    it('compressed if the client accepts gzip', async () => {
      const answer = await get(file, { 'accept-encoding': 'gzip, br' });
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      });
      expect(gunzipSync(bytesOf(answer)).toString()).toBe(content);
    });
  });

  it.each(['preview-0000.js', 'notes.txt', '../index.mjs', `..%2findex.js`, '', 'constructor'])(
    'get-preview-asset has no file %j',
    async (file) => {
      expect(await get(file)).toMatchObject({ statusCode: 404 });
    },
  );

  it('gives the pages the names of the files', () => {
    expect(assets.names()).toEqual({ script: 'preview-AB12.js', style: 'preview-CD34.css' });
  });
});
