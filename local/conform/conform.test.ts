import { describe, expect, it } from 'vitest';
import type { Entry, Json } from '../recording/recording.ts';
import { conform } from './conform.ts';
import { describeConformity } from './report.ts';

const number = '155500000000003';
const contacts = [{ profile: { name: 'Text 1' }, wa_id: '15550000002' }];
const message = { from: '15550000002', id: 'wamid.1', timestamp: '1795000000', type: 'text', text: { body: 'Text 2' } };
const metadata = { display_phone_number: '15550000001', phone_number_id: number };
const value = { messaging_product: 'whatsapp', metadata, contacts, messages: [message] };

const event = (body: object, entry: object = {}, change: object = {}): Entry => ({
  at: 0,
  event: {
    object: 'whatsapp_business_account',
    entry: [{ id: '155500000000001', changes: [{ field: 'messages', value, ...change }], ...entry }],
    ...body,
  },
});

const sent = (response: { status: number; json?: Json }): Entry => ({
  at: 0,
  request: {
    method: 'POST',
    path: `/v25.0/${number}/messages`,
    body: { json: { messaging_product: 'whatsapp', to: '15550000002', type: 'text', text: { body: 'Text 1' } } },
  },
  response: { status: response.status, ...(response.json !== undefined && { body: { json: response.json } }) },
});

const compared = async (...entries: Entry[]) =>
  describeConformity(await conform({ head: { recording: 1, platform: 'graph.facebook.com' }, entries }));

describe('the comparison of an event', () => {
  it.each([
    ['as the platform sends it', event({}), 'the simulated platform conforms.'],
    ['of another object', event({ object: 'page' }), 'event   page/messages/text: the simulated platform has no such'],
    ['with a time in its entry', event({}, { time: 1 }), 'absent  entry[0].time: the simulated platform lacks it'],
    ['with a member in its entry', event({}, { more: 1 }), 'absent  entry[0].more: the simulated platform lacks it'],
    ['with a member in its body', event({ more: 1 }), 'absent  more: the simulated platform lacks it'],
    ['with a member in its change', event({}, {}, { more: 1 }), 'absent  entry[0].changes[0].more: the simulated'],
    ['whose entry has no id', event({}, { id: undefined }), 'extra   entry[0].id: only the simulated platform has it'],
    [
      'about an account whose time is a text',
      event({}, { time: '1' }, { field: 'account_review_update', value: { decision: 'APPROVED' } }),
      'type    entry[0].time: recorded string, simulated number',
    ],
    [
      'about an account without a time',
      event({}, {}, { field: 'account_review_update', value: { decision: 'APPROVED' } }),
      'extra   entry[0].time: only the simulated platform has it',
    ],
  ])('%s', async (_, recorded, expected) => {
    const entry = JSON.parse(JSON.stringify(recorded));
    expect(await compared(entry)).toContain(expected);
  });
});

describe('the comparison of a request', () => {
  it('names a body that is missing', async () => {
    expect(await compared(sent({ status: 200 }))).toContain('type    body: recorded nothing, simulated object');
  });

  it('whose error follows from what the recording does not show says so, and is no difference', async () => {
    const json = { error: { message: 'Text 3', type: 'OAuthException', code: 131042, fbtrace_id: 'A' } };
    expect(await compared(event({}), sent({ status: 400, json }))).toBe(
      [
        `line 3: POST /v25.0/${number}/messages`,
        '  not comparable: error 131042 follows from what the recording does not show',
        '',
        '0 requests and 1 event were compared: the simulated platform conforms.',
      ].join('\n'),
    );
  });

  it('whose error follows from the request is a difference', async () => {
    const json = { error: { message: 'Text 3', type: 'OAuthException', code: 131009, fbtrace_id: 'A' } };
    expect(await compared(sent({ status: 400, json }))).toContain('status  status: recorded 400, simulated 200');
  });
});
