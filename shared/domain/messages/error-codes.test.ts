import { describe, expect, it } from 'vitest';
import { parseGraphError } from '#shared/adapters/graph/graph-error.ts';
import { errorCatalogue } from '#shared/http/errors/error-catalogue.ts';
import { errorResponse } from '#shared/http/errors/error-response.ts';
import { languages } from '#shared/http/language/language.ts';
import { explainMessageError } from '#shared/http/messages/explain-message-error.ts';
import { messageErrorTexts } from '#shared/http/messages/message-error-texts.ts';
import { knownMessageError, messageErrorCodes } from './error-codes.ts';

const words = 'As the platform says it';
const explain = await explainMessageError();

function answered(code: number, graphStatus = 400, headers = new Headers({ 'retry-after': '7' })) {
  const error = parseGraphError(graphStatus, { error: { message: words, code } }, headers, knownMessageError);
  return errorResponse(error, 'en', errorCatalogue, explain);
}

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

it('every code of the table has its status here', () => {
  const inTable = messageErrorCodes.map(({ code }) => code);
  const ascending = (codes: number[]) => codes.toSorted((a, b) => a - b);
  expect(ascending(byStatus.flatMap(([, codes]) => codes))).toEqual(ascending(inTable));
});

describe('a code of sending', () => {
  it.each(byStatus)('a code of sending becomes status %d: %j', (status, codes) => {
    for (const code of codes) {
      for (const graphStatus of [400, 401, 403, 429, 500]) {
        const answer = answered(code, graphStatus);
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
      expect(answered(code, 429, new Headers()).headers['retry-after'], String(code)).toBe(seconds);
    }
  });

  it('that concerns our credentials is never the client’s fault', () => {
    for (const code of [0, 3, 10, 190, 200, 131005]) expect(answered(code, 401).status).toBe(502);
  });

  it('that is not in the table has the platform’s own words', () => {
    expect(answered(132999)).toMatchObject({ status: 400, body: { message: words } });
  });

  it.each([
    [131052, /file that the contact sent.*Ask the contact to send it again/],
    [131053, /could not download or process the file.*link is public/],
    [131064, /wrong category.*ends by itself/],
    [130403, /blocked the contact.*Unblock/],
    [131208, /too many requests about groups.*Try again in 7 seconds\.$/],
    [131020, /no other member/],
    [131041, /does not exist, or this number is not a member/],
    [131055, /only marketing templates on the route/],
    [131063, /Send them with marketing-messages/],
    [131207, /suspended the group/],
    [131215, /may not use groups.*official business accounts/],
    [134011, /own words have the link to accept/],
    [134100, /Only marketing templates/],
    [134102, /could not prepare it, or the business account may not/],
    [139200, /blocked sending without a template/],
    [134101, /still preparing the template.*ten minutes/],
  ])('%d says what it means', (code, text) => {
    expect(answered(code).body.message).toMatch(text);
  });

  it('can mean something else than for calls', () => {
    expect(answered(131055).body.message).toMatch(/takes only marketing templates/);
  });

  it.each([
    [429, 429, 'rate_limited'],
    [500, 502, 'upstream_unavailable'],
    [503, 502, 'upstream_unavailable'],
  ])('that is unknown can be tried again if it comes with HTTP %d', (graphStatus, status, code) => {
    const answer = answered(987_654, graphStatus);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-error-code']).toBe(code);
  });

  it('that closes the window names the way out and the platform’s own words', () => {
    expect(answered(131047).body.message).toMatch(/24 hours ago, so only a template .* As the platform says it\.$/);
  });
});

it.each(messageErrorCodes.map((error) => [error.code, error] as const))(
  'the texts explain %d in every language',
  (_, { meaning }) => {
    const said = languages.map((language) => messageErrorTexts[meaning][language]);
    expect(new Set(said).size).toBe(languages.length);
    for (const text of said) expect(text).toMatch(/^.{30,}\.$/);
  },
);
