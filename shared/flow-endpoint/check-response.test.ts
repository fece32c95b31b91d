import { describe, expect, it } from 'vitest';
import type { Attempt } from '#shared/egress/post.ts';
import { readOutline } from '#shared/flow-json/response/endpoint-response.ts';
import { checkEncryptedResponse, checkResponse } from './check-response.ts';
import type { FlowRequest } from './envelope.ts';

const outline = readOutline({ screens: [{ id: 'DATE', data: { slots: { type: 'array' } } }, { id: 'NAME' }] });

const asking = (members: Partial<FlowRequest> = {}): FlowRequest => ({
  action: 'data_exchange',
  version: '3.0',
  screen: 'NAME',
  reportedError: undefined,
  flowToken: undefined,
  ...members,
});

const answered = (body: unknown, members: object = {}): Attempt => ({
  outcome: 'responded',
  durationMs: 1,
  status: 200,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
  ...members,
});

const check = (
  body: unknown,
  { request = asking(), ...members }: { request?: FlowRequest; status?: number; truncated?: boolean } = {},
) => checkResponse(request, answered(body, members), outline);

describe('a response in clear text', () => {
  it.each([
    ['the next screen', { screen: 'DATE', data: { slots: [] } }],
    ['a screen without data', { screen: 'NAME' }],
    ['the same screen with a message', { screen: 'NAME', data: { error_message: 'Try again' } }],
    ['the end', { screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token: 't' } } } }],
    ['members that we do not know', { version: '3.0', screen: 'NAME', data: {}, more: 1 }],
  ])('a response in clear text is relayed: %s', (_, body) => {
    expect(check(body)).toEqual({
      relayed: true,
      status: 200,
      body: Buffer.from(JSON.stringify(body)),
      screen: body.screen,
      findings: [],
    });
  });

  it.each([
    ['status', { screen: 'NAME' }, { status: 201 }],
    ['status', 'Oops', { status: 500 }],
    ['too-large', { screen: 'NAME' }, { truncated: true }],
    ['not-json', '', {}],
    ['not-json', '[]', {}],
    ['not-json', 'null', {}],
    ['not-json', '\uFEFF{"screen":"NAME"}', {}],
    ['no-screen', { data: {} }, {}],
    ['no-screen', { screen: 7 }, {}],
    ['unknown-screen', { screen: 'ELSEWHERE', data: {} }, {}],
    ['unknown-screen', { screen: '__proto__', data: {} }, {}],
    ['invalid-data', { screen: 'NAME', data: [] }, {}],
    ['invalid-data', { screen: 'NAME', data: null }, {}],
    ['invalid-data', { screen: 'NAME', data: { error_message: { text: 'no' } } }, {}],
    ['invalid-data', { screen: 'SUCCESS', data: { extension_message_response: { params: 'x' } } }, {}],
  ])('is rejected because of %s: %j %j', (fault, body, members) => {
    expect(check(body, members)).toMatchObject({ relayed: false, fault });
  });

  it('is rejected if it is not UTF-8, which phones cannot read', () => {
    const body = Buffer.from('{"screen":"NAME","data":{"name":"é"}}', 'latin1');
    expect(checkResponse(asking(), { ...answered(''), body } as Attempt, outline)).toMatchObject({
      relayed: false,
      fault: 'not-json',
    });
  });

  it('is rejected if it nests too deep to be written again', () => {
    const nested = (depth: number) => `{"screen":"DATE","data":{"slots":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect(check(nested(198))).toMatchObject({ relayed: true });
    for (const depth of [199, 400_000]) {
      expect(check(nested(depth))).toMatchObject({ relayed: false, fault: 'too-deep' });
    }
  });

  it('is relayed with data that its screen does not declare, and that is recorded', () => {
    const findings = [{ code: 'undeclared-data', path: 'data.slots' }];
    expect(check({ screen: 'NAME', data: { slots: [] } })).toMatchObject({ relayed: true, findings });
  });

  it.each<[string, object, object]>([
    ['wrong-type', { screen: 'DATE', data: { slots: 'nine' } }, { path: 'data.slots', expected: 'array' }],
  ])('is relayed despite %s, which is recorded: %j', (code, body, finding) => {
    const findings = [expect.objectContaining({ code, ...finding })];
    expect(check(body)).toMatchObject({ relayed: true, status: 200, findings });
  });

  it('may keep a phone on a screen that a newer Flow JSON no longer has', () => {
    const request = asking({ screen: 'GONE' });
    expect(check({ screen: 'GONE', data: { old: 1 } }, { request })).toEqual(
      expect.objectContaining({ relayed: true, screen: 'GONE' }),
    );
  });

  it('is not checked against screens while the draft has none', () => {
    const checked = checkResponse(asking(), answered({ screen: 'ANY' }), readOutline({}));
    expect(checked).toMatchObject({ relayed: true });
  });

  it.each([
    [{ data: { status: 'active' } }, true],
    [{ data: { status: 'dead' } }, false],
    [{}, false],
  ])('to a ping is relayed only if it is active: %j', (body, relayed) => {
    const checked = check(body, { request: asking({ action: 'ping' }) });
    expect(checked).toMatchObject(relayed ? { relayed } : { relayed, fault: 'not-active' });
  });

  it.each([asking({ reportedError: 'invalid-screen-transition' }), asking({ action: 'of_tomorrow' })])(
    'to a request that needs no screen may be any object: %j',
    (request) => {
      expect(check({ data: { acknowledged: true } }, { request })).toMatchObject({ relayed: true });
      expect(check('no', { request })).toMatchObject({ relayed: false, fault: 'not-json' });
    },
  );

  it.each([
    ['{"error_msg":"Over"}', '{"error_msg":"Over"}'],
    ['', ''],
    ['Over', ''],
    ['"Over"', ''],
    [Buffer.from([0xff, 0xfe]), ''],
  ])('with 427 ends the flow token whatever its body, with a message that the phone can read: %s', (body, words) => {
    const expected = { relayed: true, status: 427, body: Buffer.from(words), findings: [] };
    const attempt = { ...answered(''), status: 427, body: Buffer.from(body) } as Attempt;
    expect(checkResponse(asking(), attempt, outline)).toEqual(expected);
    expect(checkResponse(asking({ action: 'ping' }), attempt, outline)).toEqual(expected);
  });

  it('with 427 ends the flow token even if its message is endless', () => {
    const checked = check({ error_msg: 'Over' }, { status: 427, truncated: true });
    expect(checked).toMatchObject({ relayed: true, status: 427, body: Buffer.alloc(0) });
  });

  it.each([421, 432])('may not have status %i, which is about encryption', (status) => {
    expect(check('', { status })).toMatchObject({ relayed: false, fault: 'status' });
  });

  it('to an error notice is recorded if it does not acknowledge the notice', () => {
    const request = asking({ reportedError: 'timeout_error' });
    const findings = [{ code: 'not-acknowledged', path: 'data.acknowledged' }];
    expect(check({ screen: 'DATE' }, { request })).toMatchObject({ relayed: true, findings });
    expect(check({ data: { acknowledged: true } }, { request })).toMatchObject({ relayed: true, findings: [] });
  });

  it('that never arrived is rejected with its reason', () => {
    const attempt: Attempt = { outcome: 'failed', durationMs: 1, error: 'refused' };
    expect(checkResponse(asking(), attempt, outline)).toMatchObject({ relayed: false, fault: 'refused' });
    expect(checkEncryptedResponse(attempt)).toMatchObject({ relayed: false, fault: 'refused' });
  });
});

describe('an encrypted response', () => {
  it.each([
    [200, 'QUJD', undefined],
    [200, 'QUI=\n', undefined],
    [421, '', 'cannot-decrypt'],
    [421, 'wrong key', 'cannot-decrypt'],
    [427, '{"error_msg":"Over"}', undefined],
    [432, 'who are you?', 'bad-signature'],
  ])('with %i is relayed unchanged: %j', (status, body, fault) => {
    expect(checkEncryptedResponse(answered(body, { status, contentType: 'a/b' }))).toEqual({
      relayed: true,
      status,
      body: Buffer.from(body),
      contentType: 'a/b',
      findings: [],
      ...(fault && { fault }),
    });
  });

  it.each([
    ['not-base64', '"QUJD"', {}],
    ['not-base64', '', {}],
    ['status', 'QUJD', { status: 201 }],
    ['status', '', { status: 500 }],
    ['too-large', 'QUJD', { truncated: true }],
  ])('is rejected because of %s: %j %j', (fault, body, members) => {
    expect(checkEncryptedResponse(answered(body, members))).toMatchObject({ relayed: false, fault });
  });
});
