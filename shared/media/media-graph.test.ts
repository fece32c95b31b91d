import { describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { fileTypes } from './file-types.ts';
import { upstreamMedia, upstreamUploads } from './media-graph.ts';

const hex = 'ab'.repeat(32);
const answer = {
  messaging_product: 'whatsapp',
  url: 'https://lookaside.example.com/?mid=1',
  mime_type: 'image/jpeg',
  sha256: hex,
  file_size: 303_833,
  id: '1037543291543636',
};

/** The result of `describe` for a response, or for an error that is thrown instead. */
async function described(reply: unknown) {
  const requests: GraphRequest[] = [];
  const media = upstreamMedia(async (request) => {
    requests.push(request);
    if (reply instanceof Error) throw reply;
    return reply;
  });
  return { file: await media.describe('1037543291543636', '106540352242922'), requests };
}

describe('describe', () => {
  it('requests the media of the number', async () => {
    const { file, requests } = await described(answer);
    expect(requests).toEqual([
      { method: 'GET', path: '1037543291543636', query: { phone_number_id: '106540352242922' } },
    ]);
    expect(file).toEqual({ url: answer.url, mimeType: 'image/jpeg', size: 303_833, sha256: hex });
  });

  it.each([
    ['303833', 303_833],
    [0, 0],
    ['', undefined],
    [null, undefined],
    ['3 kB', undefined],
    [-1, undefined],
    [1.5, undefined],
    [undefined, undefined],
  ])('reads the size %j as %j', async (file_size, size) => {
    expect((await described({ ...answer, file_size })).file).toMatchObject({ size });
  });

  it.each([
    ['hex', hex, hex],
    ['hex in capitals', hex.toUpperCase(), hex],
    ['base64', Buffer.from(hex, 'hex').toString('base64'), hex],
    ['another hash', 'ab'.repeat(20), undefined],
    ['nothing', null, undefined],
    ['no text', undefined, undefined],
  ])('reads the SHA-256 from %s', async (_, sha256, read) => {
    expect((await described({ ...answer, sha256 })).file).toMatchObject({ sha256: read });
  });

  it.each([
    [
      'unknown',
      new UpstreamError('rejected', 'Unsupported get request. Object does not exist', { code: 100, subcode: 33 }),
    ],
    ['unknown', new UpstreamError('rejected', 'Some of the aliases you requested do not exist: abc', { code: 803 })],
    ['expired', new UpstreamError('rejected', 'The media has expired', { code: 100, subcode: 33 })],
    ['expired', new UpstreamError('rejected', 'Media expired', { code: 131_052 })],
  ])('returns %s if the upstream has none', async (expected, error) => {
    expect((await described(error)).file).toBe(expected);
  });

  it.each([
    new UpstreamError('credentials', 'Session has expired', { code: 190 }),
    new UpstreamError('rejected', 'Invalid parameter', { code: 100 }),
    new UpstreamError('unavailable', 'expired', { code: 2 }),
  ])('does not change other errors', async (error) => {
    await expect(described(error)).rejects.toBe(error);
  });

  it.each([
    { id: '1', name: 'An app' },
    { id: '1', url: 'https://strangers.example.com/', title: 'A page' },
  ])('finds no media if the upstream returns something else: %j', async (other) => {
    expect((await described(other)).file).toBe('unknown');
  });

  it('fails if the upstream returns no address', async () => {
    await expect(described({ ...answer, url: undefined })).rejects.toBeInstanceOf(UpstreamError);
  });
});

describe('upload', () => {
  /** The header of the file's part in the form. */
  async function partFor(type: string): Promise<string | undefined> {
    let head = '';
    const uploads = upstreamUploads(async ({ stream }) => {
      for await (const chunk of stream?.open(() => {}) ?? []) head ||= Buffer.from(chunk).toString();
      return { id: '1037543291543636' };
    });
    await uploads.upload('106540352242922', { type, size: 0, open: async function* () {} });
    return /^Content-Disposition: .*; (filename=.*)$/m.exec(head)?.[1]?.trim();
  }

  it.each([
    ['image/jpeg', 'filename="file.jpg"'],
    ['audio/ogg; codecs=opus', 'filename="file.ogg"'],
    ['TEXT/Plain;charset=utf-8', 'filename="file.txt"'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'filename="file.docx"'],
  ])('names the file of type %s %s', async (type, name) => {
    expect(await partFor(type)).toBe(name);
  });

  it('has an extension for every type that the platform takes', async () => {
    for (const type of fileTypes) expect(await partFor(type)).not.toContain('.bin');
  });
});
