import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import { defineContract } from '../contract/contract.ts';
import { errorCatalogue } from '../errors/error-catalogue.ts';
import { errorResponse } from '../errors/error-response.ts';
import type { Language } from '../language/language.ts';
import { misspelledParameters, unknownFieldCheck } from './unknown-fields.ts';

const body = z.object({
  webhook: z.optional(z.nullable(z.string())),
  secondary_webhook: z.optional(z.string()),
  tags: z.optional(z.array(z.union([z.int(), z.object({ id: z.int() })]))),
  headers: z.optional(z.record(z.string(), z.string())),
  anything: z.optional(z.looseObject({ name: z.string() })),
  json: z.optional(z.custom<object>()),
});

const shown = z.object({
  id: z.string(),
  status: z.object({ id: z.int() }),
  tags: z.array(z.object({ id: z.int(), description: z.string() })),
});

const base = defineContract({
  name: 'water-flow',
  method: 'PUT',
  path: '/v2/flows',
  summary: 'Water a Flow',
  tag: 'Test',
  caller: 'public',
  body,
  responses: { 200: { description: 'Watered', body: shown } },
  uses: {},
});

const unknownIn = (value: unknown, contract: Parameters<typeof unknownFieldCheck>[0] = base) =>
  unknownFieldCheck(contract)?.(value, body) ?? [];

/** The texts about the members of a body that do not exist. */
const textsFor = (value: unknown, language: Language = 'en') =>
  errorResponse(invalidFields(unknownIn(value)), language, errorCatalogue).body.errors;

const existing = 'webhook, secondary_webhook, tags, headers, anything, json';

describe('a member that does not exist', () => {
  it.each<[Language, string, string]>([
    [
      'en',
      'The field "secondaryWebhook" does not exist. Did you mean "secondary_webhook"?',
      `The field "url" does not exist. Fields that exist: ${existing}.`,
    ],
    [
      'pt-BR',
      'O campo "secondaryWebhook" não existe. Você quis dizer "secondary_webhook"?',
      `O campo "url" não existe. Campos que existem: ${existing}.`,
    ],
    [
      'es',
      'El campo "secondaryWebhook" no existe. ¿Quiso decir "secondary_webhook"?',
      `El campo "url" no existe. Campos que existen: ${existing}.`,
    ],
  ])('is explained in the language %s', (language, near, among) => {
    expect(textsFor({ secondaryWebhook: 'x', url: 'x' }, language)).toEqual({ secondaryWebhook: [near], url: [among] });
  });

  it.each(['Webhook', 'WEBHOOK', 'webhok', 'web-hook', 'wеbhook'])('is compared with those that exist: %s', (name) => {
    expect(textsFor({ [name]: 'x' })?.[name]).toEqual([expect.stringContaining('Did you mean "webhook"?')]);
  });

  it.each(['', ' ', '🙂', '\u0000', '\ud800', 'constructor', 'toString', '{nearest}', '$&'])(
    'is found whatever its name is: %j',
    (name) => {
      expect(textsFor({ [name]: 1 })).toEqual({
        [name]: [`The field "${name}" does not exist. Fields that exist: ${existing}.`],
      });
    },
  );

  it('is found if it is called __proto__, and changes no prototype', () => {
    const texts = textsFor(JSON.parse('{"__proto__":{"webhook":"x"}}'));
    expect(Object.entries(texts ?? {})).toEqual([
      ['__proto__', [expect.stringContaining('"__proto__" does not exist')]],
    ]);
  });

  it('is found within members, in every item of a list', () => {
    const value = { tags: [1, { id: 2 }, { id: 3, descripton: 'x' }, { ID: 4 }] };
    expect(unknownIn(value).map(({ field }) => field)).toEqual(['tags.2.descripton', 'tags.3.ID']);
  });

  it('is repeated only in part if its name is long', () => {
    const text = JSON.stringify(textsFor({ ['🙂'.repeat(1_000_000)]: 1 }));
    expect(text.length).toBeLessThan(600);
    expect(text).toContain(`"${'🙂'.repeat(64)}…"`);
  });

  it('is named only if it is one of the first twenty', () => {
    const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`member ${index}`, 1]));
    expect(unknownIn(value)).toHaveLength(20);
  });
});

describe('a member that exists', () => {
  it.each([
    ['in the body', { webhook: null, secondary_webhook: 'x', tags: [1] }],
    ['only in responses', { id: 'x', status: { id: 1, anything: 1 }, tags: [{ id: 1, description: 'x' }] }],
    ['because all names do', { headers: { a: 'b' }, anything: { other: 1 }, json: { screens: [{ x: 1 }] } }],
    ['in a value of the wrong type', { webhook: { a: 1 }, tags: { a: 1 }, headers: [{ a: 1 }] }],
  ])('a member that exists is not an error: %s', (_, value) => {
    expect(unknownIn(value)).toEqual([]);
  });

  it('only in the response to an action is an error, because nobody sends that back', () => {
    expect(unknownIn({ id: 'x' }, { ...base, method: 'POST' }).map(({ field }) => field)).toEqual(['id']);
    const creation = { ...base, method: 'POST', responses: { 201: base.responses[200] } } as const;
    expect(unknownIn({ id: 'x' }, creation)).toEqual([]);
  });

  it('in no schema is not an error where the contract leaves it out', () => {
    expect(unknownFieldCheck({ ...base, ignoresUnknownMembers: true })).toBeUndefined();
  });
});

describe('a query parameter', () => {
  it.each<[string, string[]]>([
    ['limt', ['limt']],
    ['Limit', ['Limit']],
    ['limit', []],
    ['page', []],
    ['', []],
    ['limit'.repeat(10_000), []],
  ])('that does not exist is reported only if it misspells one: %j', (name, expected) => {
    expect(misspelledParameters([name], ['status', 'limit', 'cursor']).map(({ field }) => field)).toEqual(expected);
  });
});
