import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseGraphError } from '#shared/adapters/graph/graph-error.ts';
import { callErrorTexts } from '#shared/http/calls/call-error-texts.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { findingTexts } from '#shared/http/calls/sdp-finding-texts.ts';
import { errorCatalogue } from '#shared/http/errors/error-catalogue.ts';
import { errorResponse } from '#shared/http/errors/error-response.ts';
import { languages } from '#shared/http/language/language.ts';
import { callErrorCodes, knownCallError } from './error-codes.ts';

const words = 'As the platform says it';
const explain = await explainCallError();

const received = (status: number, error: object) =>
  parseGraphError(status, { error: { message: words, ...error } }, new Headers({ 'retry-after': '7' }), knownCallError);

const answered = (status: number, error: object) =>
  errorResponse(received(status, error), 'en', errorCatalogue, explain);

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

describe('a code of the calling API', () => {
  it.each(documented)('%d with HTTP %d becomes status %d', (code, graphStatus, ourStatus) => {
    const { status, headers } = answered(graphStatus, { code });
    expect(status).toBe(ourStatus);
    expect(headers['x-upstream-error-code']).toBe(String(code));
    expect(headers['retry-after']).toBe(ourStatus === 429 ? '7' : undefined);
  });

  it.each(documented.filter(([code]) => code !== 138013))(
    '%d is judged by its code, whatever its HTTP status and whether it is called transient',
    (code, _, ourStatus) => {
      for (const status of [400, 401, 403, 404, 429, 500, 503]) {
        expect(answered(status, { code, is_transient: true }).status, String(status)).toBe(ourStatus);
      }
    },
  );

  it('is explained in our words and those of the platform', () => {
    const { body } = answered(401, { code: 138006 });
    expect(body.message).toMatch(/^The contact has not permitted calls from this number.*call-permissions/);
    expect(body.message.endsWith(` ${words}.`)).toBe(true);
    expect(Object.keys(body)).toEqual(['message']);
  });

  it('leads to advice, without the platform’s words, if the platform is at fault', () => {
    expect(answered(500, { code: 138004 }).body.message).toMatch(/^The platform could not connect .* Try again/);
    expect(answered(500, { code: 138007 }).body.message).not.toContain(words);
  });

  it('has two meanings, one for each status', () => {
    expect(answered(400, { code: 138013 }).body.message).toContain('country');
    expect(answered(429, { code: 138013 }).body.message).toContain('looked up too often');
  });

  it('can have a meaning of its own by its subcode', () => {
    expect(answered(400, { code: 4, error_subcode: 2390008 }).body.message).toContain('looked up too often');
    expect(received(429, { code: 4 })).toMatchObject({ failure: 'rate-limited', meaning: undefined });
  });

  it.each([138_099, 131_026, 999_999])('%d, which is not in the table, is treated as in general', (code) => {
    expect(answered(400, { code })).toMatchObject({ status: 400, body: { message: words } });
    expect(answered(500, { code }).status).toBe(502);
  });

  it('does not change errors about our credentials', () => {
    expect(answered(401, { code: 190 }).status).toBe(502);
    expect(answered(403, { code: 10 }).status).toBe(502);
  });
});

describe('the texts of the error codes', () => {
  it.each(callErrorCodes.map((error) => [error.code, error] as const))(
    'explain %d in every language',
    (_, { meaning }) => {
      const said = languages.map((language) => callErrorTexts[meaning][language]);
      expect(new Set(said).size).toBe(languages.length);
      for (const text of said) expect(text).toMatch(/^.{30,}\.$/);
    },
  );
});

describe('docs/calling.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/calling.md'), 'utf8');

  it.each(Object.entries(findingTexts))('contains a row for the finding %s', (name, { en }) => {
    expect(page).toContain(`| \`${name}\` | ${en} |`);
  });
});
