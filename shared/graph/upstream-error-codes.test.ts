import { describe, expect, it } from 'vitest';
import { callErrorTexts } from '#shared/calls/call-error-texts.ts';
import { explainCallError } from '#shared/calls/explain-call-error.ts';
import { languages } from '#shared/http/language.ts';
import { explainMessageError } from '#shared/messages/explain-message-error.ts';
import { messageErrorTexts } from '#shared/messages/message-error-texts.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse } from '#shared/operations/error-response.ts';
import { parseGraphError } from './graph-error.ts';
import { errorCodes } from './upstream-error-codes.ts';

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

  it('is explained in our words and those of the platform', () => {
    const { body } = answered('call', 401, { code: 138006 });
    expect(body.message).toMatch(/^The contact has not permitted calls from this number.*call-permissions/);
    expect(body.message.endsWith(` ${words}.`)).toBe(true);
    expect(Object.keys(body)).toEqual(['message']);
  });

  it('leads to advice, without the platform’s words, if the platform is at fault', () => {
    expect(answered('call', 500, { code: 138004 }).body.message).toMatch(
      /^The platform could not connect .* Try again/,
    );
    expect(answered('call', 500, { code: 138007 }).body.message).not.toContain(words);
  });

  it('has two meanings, one for each status', () => {
    expect(answered('call', 400, { code: 138013 }).body.message).toContain('country');
    expect(answered('call', 429, { code: 138013 }).body.message).toContain('looked up too often');
  });

  it('can have a meaning of its own by its subcode', () => {
    expect(answered('call', 400, { code: 4, error_subcode: 2390008 }).body.message).toContain('looked up too often');
    expect(received('call', 429, { code: 4 })).toMatchObject({ failure: 'rate-limited', meaning: undefined });
  });

  it.each([138_099, 131_026, 999_999])('%d, which is not in the table, is treated as in general', (code) => {
    expect(answered('call', 400, { code })).toMatchObject({ status: 400, body: { message: words } });
    expect(answered('call', 500, { code }).status).toBe(502);
  });

  it('does not change errors about our credentials', () => {
    expect(answered('call', 401, { code: 190 }).status).toBe(502);
    expect(answered('call', 403, { code: 10 }).status).toBe(502);
  });
});

const byStatus: [number, number[]][] = [
  [
    400,
    [
      33, 100, 368, 130403, 130472, 130497, 131008, 131009, 131020, 131021, 131026, 131030, 131031, 131037, 131041,
      131042, 131044, 131045, 131047, 131049, 131050, 131051, 131052, 131053, 131055, 131062, 131063, 131064, 131207,
      131215, 132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132018, 132068, 133010, 134011, 134100,
      134102, 135000, 137000, 138000, 138009, 138017, 139000, 139200,
    ],
  ],
  [429, [4, 80007, 130429, 131048, 131056, 131208, 132069, 134101]],
  [502, [131000, 131016, 131057]],
];

describe('a code of messages', () => {
  it('has a status below', () => {
    const inTable = errorCodes.message.map(({ code }) => code);
    const ascending = (codes: number[]) => codes.toSorted((a, b) => a - b);
    expect(ascending(byStatus.flatMap(([, codes]) => codes))).toEqual(ascending(inTable));
  });

  it.each(byStatus)('becomes status %d: %j', (status, codes) => {
    for (const code of codes) {
      for (const graphStatus of [400, 401, 403, 429, 500]) {
        const answer = answered('message', graphStatus, { code });
        expect(answer.status, `${code} with HTTP ${graphStatus}`).toBe(status);
        expect(answer.headers['x-upstream-error-code']).toBe(String(code));
        expect(answer.headers['retry-after']).toBe(status === 429 ? '7' : undefined);
        expect(answer.body.message.startsWith(words), 'is explained').toBe(false);
      }
    }
  });

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

  it('that is not in the table has the platform’s own words', () => {
    expect(answered('message', 400, { code: 132999 })).toMatchObject({ status: 400, body: { message: words } });
  });

  it.each([
    [429, 429, 'rate_limited'],
    [500, 502, 'upstream_unavailable'],
    [503, 502, 'upstream_unavailable'],
  ])('that is unknown can be tried again if it comes with HTTP %d', (graphStatus, status, code) => {
    const answer = answered('message', graphStatus, { code: 987_654 });
    expect(answer.status).toBe(status);
    expect(answer.headers['x-error-code']).toBe(code);
  });

  it('that closes the window names the way out and the platform’s own words', () => {
    expect(answered('message', 400, { code: 131047 }).body.message).toMatch(
      /24 hours ago, so only a template .* As the platform says it\.$/,
    );
  });
});

describe('the texts', () => {
  const explained = [
    ...errorCodes.message.map(({ code, meaning }) => [code, 'messages', messageErrorTexts[meaning]] as const),
    ...errorCodes.call.map(({ code, meaning }) => [code, 'calls', callErrorTexts[meaning]] as const),
  ];
  it.each(explained)('explain %d of %s in every language', (_code, _of, text) => {
    const said = languages.map((language) => text[language]);
    expect(new Set(said).size).toBe(languages.length);
    for (const sentence of said) expect(sentence).toMatch(/^.{30,}\.$/);
  });
});
