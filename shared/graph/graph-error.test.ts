import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNoSuchObject, UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { explainCallError } from '#shared/calls/call-errors.ts';
import { explainMessageError } from '#shared/messages/explain-message-error.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse } from '#shared/operations/error-response.ts';
import { parseGraphError } from './graph-error.ts';

const graphError = (status: number, error: object, headers: Record<string, string> = {}) =>
  parseGraphError(status, { error: { message: 'No', type: 'OAuthException', ...error } }, new Headers(headers));

const rejectedCodes = [
  33, 100, 131008, 131009, 132000, 132068, 132069, 368, 130497, 131031, 130403, 131064, 139000, 139001, 139002, 139003,
  139004, 139006, 131026, 131047, 130472,
];

describe('the meaning of a Graph error', () => {
  const classes: [UpstreamFailure, number, number[]][] = [
    ['credentials', 401, [0, 102, 104, 190]],
    ['credentials', 400, [3, 190]],
    ['credentials', 403, [10, 200, 219, 299, 131005]],
    ['rate-limited', 429, [4, 613]],
    ['rate-limited', 400, [17, 341, 80007, 80008, 130429, 133016]],
    // Codes that are new to the service.
    ['rate-limited', 429, [987_654, 131_208]],
    ['unavailable', 500, [1, 2, 131000]],
    ['unavailable', 400, [1, 2, 131016, 131057]],
    ['unavailable', 503, [987_654]],
    ['rejected', 400, rejectedCodes],
  ];

  it.each(classes.flatMap(([failure, status, codes]) => codes.map((code) => [code, status, failure] as const)))(
    'code %d with HTTP %d means %s',
    (code, status, failure) => {
      expect(graphError(status, { code })).toMatchObject({ failure, code });
    },
  );

  it.each([138_000, 138_006])('code %d is a rejection even if it comes as HTTP 401', (code) => {
    expect(graphError(401, { code }).failure).toBe('rejected');
  });

  it('is unavailable if the upstream calls the error transient, whatever its code', () => {
    expect(graphError(400, { code: 100, is_transient: true }).failure).toBe('unavailable');
    expect(graphError(400, { code: 4, is_transient: true }).failure).toBe('rate-limited');
    expect(graphError(400, { code: 100, is_transient: 'true' }).failure).toBe('rejected');
  });

  it.each([
    [400, 'rejected'],
    [401, 'credentials'],
    [403, 'credentials'],
    [404, 'rejected'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
  ])('HTTP %d without a code means %s', (status, failure) => {
    for (const body of [undefined, null, 'text', [], { error: 'text' }, { error: { code: '190' } }, { error: [] }]) {
      expect(parseGraphError(status, body, new Headers()).failure).toBe(failure);
    }
  });

  it('the meaning of a Graph error includes code and subcode', () => {
    expect(graphError(400, { code: 100, error_subcode: 33 })).toMatchObject({ code: 100, subcode: 33 });
    expect(graphError(400, { code: '100', error_subcode: [] })).toMatchObject({ code: undefined, subcode: undefined });
  });
});

it.each([
  [400, {}, false],
  [400, { is_transient: true }, true],
  [429, {}, true],
  [503, {}, true],
])('HTTP %d with %j passes by itself: %s', (status, members, isTemporary) => {
  expect(graphError(status, { code: 132001, ...members })).toMatchObject({ isTemporary });
});

describe('the codes of a subject', () => {
  const parse = (status: number, error: object) =>
    parseGraphError(status, { error: { message: 'No', ...error } }, new Headers({ 'retry-after': '9' }), 'call');

  it('take precedence over the general codes', () => {
    const meaning = { code: 'call.permission-lookups-too-frequent' };
    const error = parse(401, { code: 4, error_subcode: 2_390_008, is_transient: true });
    expect(error).toMatchObject({ failure: 'rate-limited', meaning, retryAfterSeconds: 9 });
    expect(parse(500, { code: 138_000 })).toMatchObject({ failure: 'forbidden' });
    expect(graphError(500, { code: 138_000 })).toMatchObject({ failure: 'unavailable', meaning: undefined });
  });

  it('leave the others to the general rules', () => {
    expect(parse(429, { code: 4, error_subcode: 1 })).toMatchObject({ failure: 'rate-limited', meaning: undefined });
    expect(parse(500, { code: 7 })).toMatchObject({ failure: 'unavailable', meaning: undefined });
    expect(parse(401, { code: 190 })).toMatchObject({ failure: 'credentials', meaning: undefined });
    expect(parse(429, {})).toMatchObject({ failure: 'rate-limited', meaning: undefined });
  });
});

describe('an error with an explanation', () => {
  const text = { code: 'call.no-permission', values: { what: 'x' } } as const;
  const error = graphError(429, { code: 4, error_subcode: 5, error_data: 'D', error_user_msg: 'M' });

  it('an error with an explanation remains the original error', () => {
    const { failure, message, code, subcode, details, retryAfterSeconds } = error;
    const explained = error.explained({ meaning: text, hints: [text] });
    expect(explained).toMatchObject({ failure, message, code, subcode, details, retryAfterSeconds });
    expect(explained).toMatchObject({ meaning: text, hints: [text], cause: error });
  });

  it('keeps members that the explanation does not replace', () => {
    const explained = error.explained({ meaning: text }).explained({ hints: [text] });
    expect(explained).toMatchObject({ meaning: text, hints: [text] });
  });
});

describe('the message of an error', () => {
  const message = '(#100) Invalid parameter';
  const error_data = { messaging_product: 'whatsapp', details: 'Flow name is not unique' };
  const error_user_msg = 'Choose another name.';

  it.each([
    ['what is written for people', { message, error_data, error_user_msg }, error_user_msg],
    ['the details', { message, error_data }, error_data.details],
    ['details that are a text', { message, error_data: 'Text' }, 'Text'],
    ['the message', { message }, message],
    ['the message', { message, error_user_msg: '', error_data: { details: '  ' } }, message],
    ['the message', { message, error_user_msg: { text: 'x' }, error_data: { details: ['x'] } }, message],
    ['the status', { message: null }, 'The messaging platform returned status 400.'],
    ['the status', { message: '' }, 'The messaging platform returned status 400.'],
  ])('is %s, the best available', (_, error, text) => {
    expect(graphError(400, error).message).toBe(text);
  });
});

describe('the details of an error', () => {
  const error_data = { details: 'Fingerprint algo is not SHA256' };

  it('are kept in addition to a less specific message', () => {
    const error = graphError(400, { error_data, error_user_msg: 'Check input parameters' });
    expect(error).toMatchObject({ message: 'Check input parameters', details: error_data.details });
  });

  it.each([{ error_data }, { error_data, error_user_msg: error_data.details }, { error_data: { details: ' ' } }])(
    'are left out if the message already contains them: %j',
    (error) => {
      expect(graphError(400, error).details).toBeUndefined();
    },
  );
});

describe('the time after which to retry', () => {
  const usage = (minutes: number) => ({
    'x-business-use-case-usage': JSON.stringify({
      '1': [{ type: 'whatsapp', call_count: 100, estimated_time_to_regain_access: minutes }],
    }),
  });

  it.each<[string, Record<string, string>, number]>([
    ['Retry-After', { 'retry-after': '7' }, 7],
    ['Retry-After, in whole seconds', { 'retry-after': '1.2' }, 2],
    ['Retry-After before the estimate', { 'retry-after': '7', ...usage(3) }, 7],
    ['an hour at most', { 'retry-after': '999999' }, 3_600],
    ['the estimate in minutes', usage(3), 180],
    ['an hour at most of the estimate', usage(100_000), 3_600],
    ['a minute where nothing is said', {}, 60],
    ['a minute where the estimate is none', usage(0), 60],
    ['a minute for a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 60],
    ['a minute for nonsense', { 'retry-after': '-5', 'x-business-use-case-usage': '{' }, 60],
    ['a minute for what never ends', { 'retry-after': 'Infinity' }, 60],
  ])('is given in seconds: %s', (_, headers, seconds) => {
    expect(graphError(429, { code: 4 }, headers).retryAfterSeconds).toBe(seconds);
  });

  it('is given for rate limits only', () => {
    expect(graphError(400, { code: 100 }, { 'retry-after': '7' }).retryAfterSeconds).toBeUndefined();
  });
});

it('any response becomes an error', () => {
  const failures: UpstreamFailure[] = ['rejected', 'rate-limited', 'credentials', 'unavailable'];
  const error = fc.record(
    {
      message: fc.jsonValue(),
      code: fc.jsonValue(),
      error_subcode: fc.jsonValue(),
      error_data: fc.jsonValue(),
      is_transient: fc.jsonValue(),
      error_user_msg: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(fc.jsonValue(), error, fc.record({ error }), fc.constant(undefined));
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), body, (status, anything) => {
      const parsed = parseGraphError(status, anything, new Headers());
      expect(failures).toContain(parsed.failure);
      expect(parsed.message.trim()).not.toBe('');
    }),
  );
});

describe('isNoSuchObject', () => {
  it.each([
    [
      'code 100 with subcode 33',
      new UpstreamError('rejected', 'Unsupported get request', { code: 100, subcode: 33 }),
      true,
    ],
    ['its text', new UpstreamError('rejected', 'Flow with specified ID does not exist', { code: 100 }), true],
    ['another parameter', new UpstreamError('rejected', 'Invalid parameter', { code: 100 }), false],
    ['another code', new UpstreamError('rejected', 'Number does not exist', { code: 132_000, subcode: 33 }), false],
    ['no upstream error', new Error('does not exist'), false],
  ])('recognises a missing object by %s', (_, error, expected) => {
    expect(isNoSuchObject(error)).toBe(expected);
  });
});

const words = 'As the platform says it';
const aWhile = new Headers({ 'retry-after': '7' });
const explain = { call: await explainCallError(), message: await explainMessageError() };

const received = (subject: 'call' | 'message', status: number, error: object, headers = aWhile) =>
  parseGraphError(status, { error: { message: words, ...error } }, headers, subject);

const answered = (...[subject, ...response]: Parameters<typeof received>) =>
  errorResponse(received(subject, ...response), 'en', errorCatalogue, explain[subject]);

/** The codes of Meta's page "Troubleshoot WhatsApp Calling Errors", with Graph's status and with ours. */
const documented: [code: number, graphStatus: number, ourStatus: number][] = [
  [100, 400, 400],
  [131009, 400, 400],
  [131030, 400, 400],
  [131044, 400, 400],
  [131055, 400, 400],
  [133010, 400, 403],
  [138000, 401, 403],
  [138001, 400, 400],
  [138002, 429, 429],
  [138003, 400, 400],
  [138004, 500, 502],
  [138005, 429, 429],
  [138006, 401, 400],
  [138007, 500, 502],
  [138008, 400, 400],
  [138009, 400, 400],
  [138012, 400, 400],
  [138013, 400, 400],
  [138013, 429, 429],
  [138014, 400, 403],
  [138015, 400, 403],
  [138017, 400, 400],
  [138018, 400, 403],
  [613, 429, 429],
];

describe('a code of calls', () => {
  it.each(documented)('%d with HTTP %d becomes status %d', (code, graphStatus, ourStatus) => {
    const { status, headers } = answered('call', graphStatus, { code });
    expect(status).toBe(ourStatus);
    expect(headers['x-upstream-error-code']).toBe(String(code));
    expect(headers['retry-after']).toBe(ourStatus === 429 ? '7' : undefined);
  });

  it.each(documented.filter(([code]) => code !== 138013))(
    '%d is judged by its code, whatever its HTTP status and whether it is called transient',
    (code, _, ourStatus) => {
      for (const status of [400, 401, 403, 404, 429, 500, 503]) {
        expect(answered('call', status, { code, is_transient: true }).status, String(status)).toBe(ourStatus);
      }
    },
  );

  it('has two meanings, one for each status', () => {
    expect(answered('call', 400, { code: 138013 }).body.message).toContain('country');
    expect(answered('call', 429, { code: 138013 }).body.message).toContain('looked up too often');
  });
});

describe('a code of messages', () => {
  it.each([
    ['3600', [131048, 132069]],
    ['600', [134101]],
    ['60', [4, 80007, 130429, 131056, 131208]],
  ])('means a wait of %s seconds if the platform names none: %j', (seconds, codes) => {
    for (const code of codes) {
      expect(answered('message', 429, { code }, new Headers()).headers['retry-after'], String(code)).toBe(seconds);
    }
  });

  it('that concerns our credentials is never the client’s fault', () => {
    for (const code of [0, 3, 10, 190, 200, 131005]) expect(answered('message', 401, { code }).status).toBe(502);
  });

  it('that closes the window names the way out and the platform’s own words', () => {
    expect(answered('message', 400, { code: 131047 }).body.message).toMatch(
      /24 hours ago, so only a template .* As the platform says it\.$/,
    );
  });
});
