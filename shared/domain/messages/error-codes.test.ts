import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseGraphError } from '#shared/adapters/graph/graph-error.ts';
import { errorCatalogue } from '#shared/http/errors/error-catalogue.ts';
import { errorResponse } from '#shared/http/errors/error-response.ts';
import { languages } from '#shared/http/language/language.ts';
import { explainMessageError } from '#shared/http/messages/explain-message-error.ts';
import { messageErrorTexts } from '#shared/http/messages/message-error-texts.ts';
import { errorRow } from '#support/http/error-rows.ts';
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
      33, 100, 368, 130403, 130472, 130497, 131008, 131009, 131021, 131026, 131030, 131031, 131037, 131042, 131044,
      131045, 131047, 131049, 131050, 131051, 131052, 131053, 131062, 132000, 132001, 132005, 132007, 132012, 132015,
      132016, 132068, 133010, 135000, 137000, 138000, 138009, 138017, 139000,
    ],
  ],
  [429, [4, 80007, 130429, 131048, 131056, 131064, 132069]],
  [502, [131000, 131016, 131057]],
];

it('every code of the table has its status here', () => {
  const inTable = messageErrorCodes.map(({ code }) => code);
  const ascending = (codes: number[]) => codes.toSorted((a, b) => a - b);
  expect(ascending(byStatus.flatMap(([, codes]) => codes))).toEqual(ascending(inTable));
});

describe('a code of sending', () => {
  it.each(byStatus)('becomes status %d: %j', (status, codes) => {
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
    ['3600', [131048, 131064, 132069]],
    ['60', [4, 80007, 130429, 131056]],
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

describe('docs/sending.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sending.md'), 'utf8');

  it.each(messageErrorCodes.map((error) => [errorRow(error, messageErrorTexts)]))('contains this row: %s', (row) => {
    expect(page).toContain(`${row}\n`);
  });
});
