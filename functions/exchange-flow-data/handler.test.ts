import { createHmac, createPrivateKey } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeContext } from '../../shared/flow-endpoint/exchange.ts';
import type { ExchangeRecord } from '../../shared/flow-endpoint/exchange-record.ts';
import { createFlowKey, type FlowKey, publicKeyOf } from '../../shared/flow-endpoint/flow-key.ts';
import { readScreens } from '../../shared/flow-endpoint/screens.ts';
import type { FlowRecord } from '../../shared/flows/flow.ts';
import { noAccess } from '../../shared/http/no-access.ts';
import type { Attempt, PostRequest } from '../../shared/outgoing/send.ts';
import { captureLog } from '../../test/support/captured-log.ts';
import { draft, now } from '../../test/support/fake-flow-context.ts';
import { phoneRequest } from '../../test/support/flow-phone.ts';
import { httpEvent, send } from '../../test/support/http-event.ts';
import { makeHandler } from './handler.ts';

const log = captureLog();
beforeEach(() => void log.splice(0));

const appSecret = 'app-secret';
const url = 'https://customer.example.com/flow';
const flow: FlowRecord = { ...draft, endpoint_url: url, endpoint_encrypted: false };
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let key: FlowKey;
let newKey: FlowKey;
beforeAll(async () => {
  [key, newKey] = await Promise.all([createFlowKey(0), createFlowKey(1)]);
});

const answered = (body: unknown, status = 200): Attempt => ({
  outcome: 'answered',
  durationMs: 12.4,
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
  truncated: false,
});

interface Options {
  flows?: FlowRecord[];
  attempt?: Attempt;
  context?: Partial<ExchangeContext>;
  add?: (flow: string, record: ExchangeRecord) => Promise<void>;
}

/** The operation over one Flow and a customer's endpoint that gives this attempt. */
function service({ flows = [flow], attempt = answered({ screen: 'DATE', data: {} }), context, add }: Options = {}) {
  const posted: PostRequest[] = [];
  const noted: ExchangeRecord[] = [];
  const handler = makeHandler({
    access: noAccess,
    now: () => now,
    credentials: async () => ({ access_token: 't', app_secret: ['older secret', appSecret] }),
    findFlow: async (id) => flows.find((one) => one.id === id),
    exchanges: { add: add ?? (async (_, record) => void noted.push(record)) },
    context: {
      sender: {
        post: async (request) => {
          posted.push(request);
          return attempt;
        },
        close: () => {},
      },
      timeoutMs: 8_000,
      signingSecrets: async () => [secret],
      privateKeys: async () => [createPrivateKey(key.private_key)],
      screensOf: async () => readScreens('{"screens":[{"id":"DATE"}]}'),
      now: () => now,
      ...context,
    },
  });
  return { handler, posted, noted };
}

async function ask(handler: ReturnType<typeof makeHandler>, payload: unknown, publicKey = publicKeyOf(key)) {
  const phone = await phoneRequest(payload, publicKey);
  const body = JSON.stringify(phone.envelope);
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  const headers = { 'x-hub-signature-256': signature };
  const event = { pathParameters: { flow: flow.id.toUpperCase() }, headers, body };
  const { statusCode, body: text, headers: answerHeaders } = await handler(httpEvent(event), {} as Context);
  return { phone, body, status: statusCode, text, headers: answerHeaders };
}

const init = { version: '3.0', action: 'INIT', flow_token: 'canary' };

describe('exchange-flow-data', () => {
  it('asks the customer in clear text, signed, and answers the phone', async () => {
    const { handler, posted, noted } = service();
    const { phone, status, text, headers } = await ask(handler, init);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/plain', 'cache-control': 'no-store' });
    expect(await phone.read(String(text))).toEqual({ screen: 'DATE', data: {} });
    expect(posted).toEqual([
      {
        url,
        body: Buffer.from(JSON.stringify(init)),
        timeoutMs: 8_000,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'messaging-service',
          'webhook-id': expect.any(String),
          'webhook-timestamp': String(Math.floor(now / 1000)),
          'webhook-signature': expect.stringMatching(/^v1,/),
        },
      },
    ]);
    expect(noted).toEqual([
      {
        at: now,
        action: 'INIT',
        screen: null,
        reported_error: null,
        answered_screen: 'DATE',
        duration_ms: 12,
        status: 200,
        bytes: 27,
        outcome: 'answered',
        fault: null,
      },
    ]);
  });

  it('does not sign while no number of the workspace has a secret', async () => {
    const { handler, posted } = service({ context: { signingSecrets: async () => [] } });
    expect((await ask(handler, init)).status).toBe(200);
    expect(Object.keys(posted[0]?.headers ?? {})).toEqual(['content-type', 'user-agent']);
  });

  it('hands on an envelope that its owner opens, with the signature that it came with', async () => {
    const sealed: Attempt = { ...answered(''), body: Buffer.from('QUJD') } as Attempt;
    const flows = [{ ...flow, endpoint_encrypted: true }];
    const { handler, posted } = service({ flows, attempt: sealed });
    const { body, status, text } = await ask(handler, init);
    expect([status, text]).toEqual([200, 'QUJD']);
    expect(posted[0]?.body.toString()).toBe(body);
    expect(posted[0]?.headers).toHaveProperty('x-hub-signature-256');
    expect(posted[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('looks the keys up again when none fits, for they may have been rotated', async () => {
    const ages: number[] = [];
    const privateKeys = async (_: string, maxAgeMs: number) => {
      ages.push(maxAgeMs);
      return [createPrivateKey((maxAgeMs < 60_000 ? newKey : key).private_key)];
    };
    const { handler } = service({ context: { privateKeys } });
    expect((await ask(handler, init, publicKeyOf(newKey))).status).toBe(200);
    expect(ages).toHaveLength(2);
    expect((await ask(handler, init)).status).toBe(200);
    expect(ages).toHaveLength(3);
  });

  it.each<[string, Attempt, number]>([
    ['refused', { outcome: 'failed', error: 'refused', durationMs: 1 }, 502],
    ['status', answered('canary', 500), 502],
    ['no-screen', answered({ data: 'canary' }), 502],
    ['timeout', { outcome: 'failed', error: 'timeout', durationMs: 8_000 }, 504],
    ['connect-timeout', { outcome: 'failed', error: 'connect-timeout', durationMs: 3_000 }, 504],
  ])('fails, notes why and logs no content: %s', async (fault, attempt, expected) => {
    const { handler, noted } = service({ attempt });
    const { status, text } = await ask(handler, init);
    expect([status, text]).toEqual([expected, undefined]);
    expect(noted).toEqual([expect.objectContaining({ outcome: 'failed', fault })]);
    expect(log).toContainEqual(expect.objectContaining({ event: 'endpoint.failed', flow: flow.id, fault }));
    expect(JSON.stringify([log, noted])).not.toContain('canary');
  });

  it('does not fail for the notes’ sake', async () => {
    const add = vi.fn(async () => {
      throw new Error('table gone');
    });
    const { status } = await ask(service({ add }).handler, init);
    expect(status).toBe(200);
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'exchange.not-noted' }));
  });

  it.each([
    ['is unknown', [], 404],
    ['is not known upstream yet', [{ ...flow, wa_id: undefined }], 404],
    ['has no endpoint', [{ ...flow, endpoint_url: null }], 400],
    ['is deprecated', [{ ...flow, status: 'DEPRECATED' }], 410],
    ['is blocked', [{ ...flow, status: 'BLOCKED' }], 403],
  ])('answers for a Flow that %s in its own way', async (_, flows, expected) => {
    const { handler, posted, noted } = service({ flows: flows as FlowRecord[] });
    const { status, text } = await ask(handler, init);
    expect(status).toBe(expected);
    expect(JSON.parse(String(text))).toEqual({ message: expect.any(String) });
    expect([posted, noted]).toEqual([[], []]);
  });

  it('tells a stranger nothing, not even which Flows there are', async () => {
    const { handler, posted, noted } = service();
    for (const id of [flow.id, 'unknown']) {
      const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
      const { status, text } = await send(handler, { pathParameters: { flow: id }, headers, body: '{}' });
      expect([status, text]).toEqual([432, undefined]);
    }
    expect([posted, noted]).toEqual([[], []]);
  });
});
