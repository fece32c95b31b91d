import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '#shared/accounts/token.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { parseGraphError } from '#shared/graph/graph-error.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { phoneNumbers, startGraphPathsWorld } from '#support/worlds/graph-paths-world.ts';

const log = logOfEachTest();

const world = forAllTests(() => startGraphPathsWorld());
afterEach(() => {
  world.reset();
});

const to = '+15550100999';
const text = { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Hi' } };
const messages = `/v23.0/${phoneNumbers.alpha}/messages`;

describe('a message', () => {
  it('is sent as the operation of this service sends it', async () => {
    const { status, json } = await world.call('POST', messages, { body: { ...text, to: '+1 (555) 010-0999' } });
    expect([status, json]).toEqual([
      200,
      {
        messaging_product: 'whatsapp',
        contacts: [{ input: to, wa_id: '15550100999' }],
        messages: [{ id: expect.stringMatching(/^wamid\./) }],
      },
    ]);
  });

  it('may have members that are null, and no type if it is a text', async () => {
    const { type: _, ...body } = { ...text, context: null };
    expect((await world.call('POST', messages, { body })).status).toBe(200);
    expect(world.asked[0]?.json).toEqual(text);
  });

  it('may have the phone number of its contact as a number', async () => {
    expect((await world.call('POST', messages, { body: { ...text, to: 15550100999 } })).status).toBe(200);
    expect(world.asked[0]?.json).toEqual({ ...text, to: '15550100999' });
  });

  it.each([false, true])('may be a form: %s', async (isBase64Encoded) => {
    const form = String(new URLSearchParams({ ...text, text: '{"body": "Hi [1]"}', access_token: 'EAAG' }));
    const body = isBase64Encoded ? btoa(form) : form;
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await world.call('POST', messages, { body, headers, isBase64Encoded })).status).toBe(200);
    expect(world.asked[0]?.json).toEqual({ ...text, text: { body: 'Hi [1]' } });
  });

  describe('that sends a Flow', () => {
    const flowMessage = (parameters: object) => ({
      ...{ to, type: 'interactive' },
      interactive: { type: 'flow', action: { name: 'flow', parameters: { flow_message_version: '3', ...parameters } } },
    });
    const sentToken = () => /"flow_token":"([^"]*)"/.exec(JSON.stringify(world.asked[0]?.json))?.[1];
    beforeEach(() => {
      world.answer = () => ({ messages: [{ id: 'wamid.flow' }], contacts: [] });
    });

    it('of the workspace gets a flow token of ours, which leads to its message and contact', async () => {
      const flow_id = await world.newFlow(world.workspaces.alpha);
      const { status } = await world.call('POST', messages, { body: flowMessage({ flow_id, mode: 'draft' }) });
      expect([status, sentToken()]).toEqual([200, expect.stringMatching(/^msgf_/)]);
      expect(world.asked[0]?.json).toMatchObject(flowMessage({ flow_id, mode: 'draft' }));
      const record = await world.sentFlows.find(hashToken(sentToken() ?? ''));
      expect(record).toMatchObject({ contact: '15550100999', stage: 'sent', message: 'wamid.flow', draft: true });
    });

    it('keeps a token and the digits of the client', async () => {
      const flow_id = await world.newFlow(world.workspaces.alpha);
      const body = JSON.stringify(flowMessage({ flow_id, flow_token: 'mine' })).replace('"mine"', '"mine","data":1.10');
      await world.call('POST', messages, { body, headers: { 'content-type': 'application/json' } });
      expect(sentToken()).toBe('mine');
      expect(JSON.stringify(world.asked[0]?.json)).toContain('"data":1.10');
    });

    it('that no workspace knows stays as it is', async () => {
      const body = flowMessage({ flow_id: '4411223344556677' });
      await world.call('POST', messages, { body });
      expect(world.asked[0]?.json).toEqual({ ...body, messaging_product: 'whatsapp' });
    });
  });

  it('is checked before the platform sees it', async () => {
    const { status, json } = await world.call('POST', messages, { body: { ...text, to: 'BR.13491208655302741918' } });
    expect([status, json.error]).toEqual([
      400,
      {
        message: expect.stringMatching(/^\(#100\) .*Send it in recipient/),
        type: 'OAuthException',
        code: 100,
        error_data: { messaging_product: 'whatsapp', details: expect.stringContaining('recipient') },
        fbtrace_id: expect.any(String),
      },
    ]);
    expect(world.asked).toEqual([]);
  });

  it('is sent once with an Idempotency-Key, and its response is repeated', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await world.call('POST', messages, { body: text, headers });
    const again = await world.call('POST', messages, { body: text, headers });
    expect(world.asked).toEqual([]);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    const other = await world.call('POST', messages, { body: { ...text, to: '+15550100998' }, headers });
    expect(other).toMatchObject({ status: 400, json: { error: { code: 100 } } });
  });

  it('marks one as read', async () => {
    world.answer = () => ({ success: true });
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1' };
    expect((await world.call('POST', messages, { body })).json).toEqual({ success: true });
  });

  it('has a rejection of the platform with its code, in its words and ours', async () => {
    const body = { ...text, type: 'image', image: { id: '1' }, text: undefined };
    const { status, json } = await world.call('POST', messages, { body });
    expect([status, json.error.code]).toEqual([400, 100]);
    expect(json.error.error_data.details).toMatch(/attachment ID/);
  });

  it.each<[string, () => UpstreamError, number, number]>([
    [
      'too many requests',
      () => parseGraphError(429, { error: { code: 130_429 } }, new Headers(), 'message'),
      429,
      130_429,
    ],
    ['too many without a code', () => parseGraphError(429, {}, new Headers(), 'message'), 429, 4],
    [
      'a wrong token of this service',
      () => parseGraphError(401, { error: { code: 190 } }, new Headers(), 'message'),
      502,
      2,
    ],
    ['no response', () => new UpstreamError('timeout', 'No response'), 504, 1],
  ])('of which the platform says: %s', async (_, error, status, code) => {
    world.answer = () => {
      throw error();
    };
    const answer = await world.call('POST', messages, { body: text });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });
});

describe('a file', () => {
  const form = (...fields: [string, string][]) => {
    const parts = fields.map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="blob"\r\n\r\n%PDF-1.4\r\n--b--\r\n';
    return { body: parts.join('') + file, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  };

  it('is uploaded, described with an address of this service, and deleted', async () => {
    const path = `/${phoneNumbers.alpha}/media`;
    const { json } = await world.call(
      'POST',
      path,
      form(['messaging_product', 'whatsapp'], ['type', 'application/pdf']),
    );
    const described = await world.call('GET', `/${json.id}`);
    expect(described.json).toEqual({
      messaging_product: 'whatsapp',
      url: expect.stringMatching(
        new RegExp(`^https://api\\.example\\.com/v2/messaging/numbers/[\\da-f-]{36}/media/${json.id}$`),
      ),
      mime_type: 'application/pdf',
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
      file_size: 8,
      id: json.id,
    });
    const query = { phone_number_id: phoneNumbers.alpha };
    expect((await world.call('DELETE', `/${json.id}`, { query })).json).toEqual({ success: true });
    expect((await world.call('GET', `/${json.id}`, { query })).json.error.code).toBe(100);
  });

  it('is found although requests for another number fail', async () => {
    const id = await world.newFile(phoneNumbers.alphaSilent);
    world.answer = ({ query }) => {
      if (query?.phone_number_id === phoneNumbers.alpha) throw new UpstreamError('credentials', 'A wrong token');
      return undefined;
    };
    expect((await world.call('GET', `/${id}`)).json.id).toBe(id);
    expect(await world.call('GET', '/123456789')).toMatchObject({ status: 400, json: { error: { code: 100 } } });
  });

  it.each<Record<string, string>>([{}, { fields: 'id' }])(
    'may exist as long as the platform rejects all credentials of the user: %j',
    async (query) => {
      world.answer = () => {
        throw new UpstreamError('credentials', 'A wrong token');
      };
      const { status, json } = await world.call('GET', '/123456789', { query });
      expect([status, json.error.code]).toEqual([502, 2]);
    },
  );

  it('does not exist if its id is that of a Page, and alarms nobody', async () => {
    world.answer = ({ path }) => {
      if (path !== '1234567890') return undefined;
      throw parseGraphError(400, { error: { code: 10, message: '(#10) This requires a permission' } }, new Headers());
    };
    for (const query of [{}, { phone_number_id: phoneNumbers.alpha }]) {
      for (const method of ['GET', 'DELETE']) {
        const { status, json } = await world.call(method, '/1234567890', { query: { ...query } });
        expect([status, json.error.code]).toEqual([400, 100]);
      }
    }
    expect(JSON.stringify(log)).not.toContain('upstream.credentials-rejected');
  });

  it('may be uploaded with messaging_product in the query', async () => {
    const options = { ...form(['type', 'application/pdf']), query: { messaging_product: 'whatsapp' } };
    expect((await world.call('POST', `/${phoneNumbers.alpha}/media`, options)).status).toBe(200);
  });

  it('may be uploaded with fields that Graph does not have', async () => {
    const fields = form(['type', 'application/pdf'], ['typeFile', 'application/pdf']);
    expect((await world.call('POST', `/${phoneNumbers.alpha}/media`, fields)).status).toBe(200);
  });

  it('of a type that the platform does not take is refused here', async () => {
    const { json } = await world.call('POST', `/${phoneNumbers.alpha}/media`, form(['type', 'application/zip']));
    expect(json.error.code).toBe(100);
    expect(world.asked).toEqual([]);
  });

  it('that is compressed is refused, because the platform would keep it so', async () => {
    const headers = { 'content-type': 'application/pdf', 'content-encoding': 'gzip' };
    const { json } = await world.call('POST', `/${phoneNumbers.alpha}/media`, { body: 'x', headers });
    expect(json.error.message).toContain('Content-Encoding gzip');
    expect(world.asked).toEqual([]);
  });
});

describe('a call', () => {
  const calls = (number: string) => `/${number}/calls`;

  it('passes to the platform with its action', async () => {
    world.answer = () => ({ messaging_product: 'whatsapp', calls: [{ id: 'wacid.1' }] });
    const body = { action: 'connect', to: '15550100999', session: { sdp_type: 'offer', sdp: 'v=0' } };
    expect((await world.call('POST', calls(phoneNumbers.alpha), { body })).json.calls).toEqual([{ id: 'wacid.1' }]);
    expect(world.asked[0]).toMatchObject({ path: `${phoneNumbers.alpha}/calls`, json: body });
  });

  it.each([{ action: 'dance' }, { action: 'connect' }])('with this body is refused here: %j', async (body) => {
    expect((await world.call('POST', calls(phoneNumbers.alpha), { body })).json.error.code).toBe(100);
    expect(world.asked).toEqual([]);
  });

  it('needs a number with calling', async () => {
    const body = { action: 'terminate', call_id: 'wacid.1' };
    const answer = await world.call('POST', calls(phoneNumbers.alphaSilent), { body });
    expect(answer).toMatchObject({ status: 403, json: { error: { code: 10 } } });
    expect(world.asked).toEqual([]);
  });
});
