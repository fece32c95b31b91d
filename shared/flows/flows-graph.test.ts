import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { upstreamFlows } from './flows-graph.ts';

const noSuchObject = new UpstreamError('rejected', 'Unsupported get request', { code: 100, subcode: 33 });

/** The Flows of an upstream whose responses the function gives, and the requests that it got. */
function withAnswers(answer: (request: GraphRequest) => unknown) {
  const requests: GraphRequest[] = [];
  const call = async (request: GraphRequest) => {
    requests.push(request);
    return answer(request);
  };
  const flows = upstreamFlows(call, { via: '1.1 our-mark' });
  return { flows, requests };
}

const fails = (error: Error) => () => {
  throw error;
};

describe('create', () => {
  it('returns the id of the new Flow', async () => {
    const { flows, requests } = withAnswers(() => ({ id: '44', success: true }));
    expect(await flows.create('10', { name: 'Name', categories: ['OTHER'] })).toBe('44');
    expect(requests).toEqual([{ method: 'POST', path: '10/flows', json: { name: 'Name', categories: ['OTHER'] } }]);
  });

  it.each([{}, { id: 44 }, [], null, 'text'])('reports an unknown outcome if the response is %j', async (answer) => {
    const { flows } = withAnswers(() => answer);
    await expect(flows.create('10', { name: 'Name', categories: ['OTHER'] })).rejects.toMatchObject({
      failure: 'broken-response',
    });
  });
});

describe('get', () => {
  it('returns the known members and drops the rest', async () => {
    const { flows } = withAnswers(() => ({ id: '44', status: 'DRAFT', json_version: null, health_status: {} }));
    expect(await flows.get('44')).toEqual({ id: '44', status: 'DRAFT', json_version: null });
  });

  it('finds nothing if the upstream has no such object', async () => {
    const { flows } = withAnswers(fails(noSuchObject));
    expect(await flows.get('44')).toBeUndefined();
  });

  it('passes on every other error', async () => {
    const error = new UpstreamError('rejected', 'Invalid parameter', { code: 100 });
    const { flows } = withAnswers(fails(error));
    await expect(flows.get('44')).rejects.toBe(error);
  });

  it('cannot be directed to another object by an id', async () => {
    const { flows, requests } = withAnswers(() => ({ id: '44' }));
    await flows.get('44/../me?fields=x#');
    expect(requests[0]?.path).toBe('44%2F..%2Fme%3Ffields%3Dx%23');
  });
});

describe('uploadJson', () => {
  it('sends the exact text as a file, and returns the upstream’s findings', async () => {
    const findings = [{ error: 'INVALID_PROPERTY', message: 'No', line_start: 1, pointers: [] }];
    const { flows, requests } = withAnswers(() => ({ success: true, validation_errors: findings }));
    const text = '{"version": "7.3",  "emoji": "🌵"}';
    expect(await flows.uploadJson('44', text)).toEqual(findings);
    const form = requests[0]?.form;
    const file = form?.get('file');
    expect(file instanceof File && (await file.text())).toBe(text);
    expect(file).toMatchObject({ name: 'flow.json', type: 'application/json' });
    expect([form?.get('name'), form?.get('asset_type')]).toEqual(['flow.json', 'FLOW_JSON']);
  });

  it.each([{ success: true }, { success: true, validation_errors: [{ line: 1 }] }])(
    'treats %j as no findings, because the upload was accepted',
    async (answer) => {
      const { flows } = withAnswers(() => answer);
      expect(await flows.uploadJson('44', '{}')).toEqual([]);
    },
  );
});

describe('downloadJson', () => {
  let status: number;
  let server: TestServer;

  beforeAll(async () => {
    server = await startHttpServer((_, response) => void response.writeHead(status).end('{"version":"7.3"}'));
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  const withAsset = (download_url?: string) =>
    withAnswers(() => ({ data: [{ name: 'flow.json', asset_type: 'FLOW_JSON', download_url }] })).flows;

  it('downloads the text without our access token', async () => {
    status = 200;
    expect(await withAsset(server.url).downloadJson('44')).toBe('{"version":"7.3"}');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).toHaveProperty('via', '1.1 our-mark');
  });

  it('returns nothing for a Flow without content', async () => {
    expect(await withAnswers(() => ({ data: [] })).flows.downloadJson('44')).toBeUndefined();
    expect(await withAsset().downloadJson('44')).toBeUndefined();
  });

  it.each([
    [403, 'rejected'],
    [404, 'rejected'],
    [503, 'unavailable'],
  ])('does not mistake HTTP %d for a Flow without content', async (answered, failure) => {
    status = answered;
    await expect(withAsset(server.url).downloadJson('44')).rejects.toMatchObject({ name: 'UpstreamError', failure });
  });

  it('fails like every call of the upstream if the server does not respond', async () => {
    const flows = withAsset(`http://127.0.0.1:${await freePort()}`);
    await expect(flows.downloadJson('44')).rejects.toMatchObject({ name: 'UpstreamError', failure: 'unreachable' });
  });
});

describe('findByName', () => {
  /** Three pages of two Flows; the last one names no next page. */
  const paged = ({ query }: GraphRequest) => {
    const page = Number(query?.after ?? 0);
    return {
      data: [0, 1].map((index) => ({ id: `${page}${index}`, name: `Flow ${page * 2 + index}` })),
      paging: { cursors: { after: String(page + 1) }, ...(page < 2 && { next: 'https://graph.example/next' }) },
    };
  };

  it('searches the pages, no further than needed', async () => {
    const { flows, requests } = withAnswers(paged);
    expect(await flows.findByName('10', 'Flow 3')).toMatchObject({ id: '11', name: 'Flow 3' });
    expect(requests.map(({ query }) => query?.after)).toEqual([undefined, '1']);
  });

  it('stops after the last page', async () => {
    const { flows, requests } = withAnswers(paged);
    expect(await flows.findByName('10', 'Flow')).toBeUndefined();
    expect(requests).toHaveLength(3);
  });

  it('stops even if the pages never end', async () => {
    const { flows, requests } = withAnswers(() => ({
      data: [],
      paging: { next: 'https://graph.example/next', cursors: { after: 'same' } },
    }));
    expect(await flows.findByName('10', 'Flow')).toBeUndefined();
    expect(requests.length).toBeLessThanOrEqual(50);
  });
});
