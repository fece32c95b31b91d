import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fieldRules } from '#shared/base/field-error.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse } from '#shared/operations/error-response.ts';
import { type Language, languages } from './language.ts';
import { readOnlyMembers } from './members.ts';
import { parseFields } from './validation.ts';
import { validationTexts } from './validation-texts.ts';

const schema = z.object({
  first_name: z.string().check(z.minLength(2), z.maxLength(5)),
  numbers: z.optional(z.array(z.int().check(z.gte(1), z.lte(9))).check(z.minLength(1), z.maxLength(2))),
  kind: z.optional(z.literal(['a', 'b'])),
  id: z.optional(z.uuid()),
  code: z.optional(z.string().check(z.regex(/^\d+$/))),
  on: z.optional(z.boolean()),
  session: z.optional(z.object({ webrtc: z.object({ sdp: z.string() }) })),
});

const valid = { first_name: 'Ana' };

/** Returns the error body that the service sends for a request body. */
function answer(body: unknown, language: Language = 'en', of: z.ZodMiniType = schema) {
  try {
    parseFields(of, body);
  } catch (error) {
    return errorResponse(error, language, errorCatalogue).body;
  }
  throw new Error('The body was taken');
}

describe('parseFields', () => {
  it('returns the members of the schema, and no others', () => {
    expect(parseFields(schema, { ...valid, on: true, extra: 1 })).toEqual({ first_name: 'Ana', on: true });
  });

  it.each<[string, object, string, string]>([
    ['a missing field', { first_name: undefined }, 'first_name', 'The first name field is required.'],
    ['no string', { first_name: 5 }, 'first_name', 'The first name field must be a string.'],
    ['null', { first_name: null }, 'first_name', 'The first name field must be a string.'],
    ['too short', { first_name: 'A' }, 'first_name', 'The first name field must be at least 2 characters.'],
    ['too long', { first_name: 'Anabel' }, 'first_name', 'The first name field must not be longer than 5 characters.'],
    ['no array', { numbers: {} }, 'numbers', 'The numbers field must be an array.'],
    ['too few', { numbers: [] }, 'numbers', 'The numbers field must have at least 1 item.'],
    ['too many', { numbers: [1, 2, 3] }, 'numbers', 'The numbers field must not have more than 2 items.'],
    ['no integer', { numbers: [1, 1.5] }, 'numbers.1', 'The numbers.1 field must be an integer.'],
    ['no number', { numbers: ['1'] }, 'numbers.0', 'The numbers.0 field must be an integer.'],
    ['too small', { numbers: [0] }, 'numbers.0', 'The numbers.0 field must be at least 1.'],
    ['too great', { numbers: [10] }, 'numbers.0', 'The numbers.0 field must not be greater than 9.'],
    ['none of the choices', { kind: 'c' }, 'kind', 'The selected kind is invalid. Valid values: a, b.'],
    ['no choice at all', { kind: null }, 'kind', 'The selected kind is invalid. Valid values: a, b.'],
    ['no UUID', { id: '1' }, 'id', 'The id field must be a UUID.'],
    ['another form', { code: 'x' }, 'code', 'The code field is invalid.'],
    ['no boolean', { on: 1 }, 'on', 'The on field must be true or false.'],
    ['no object', { session: [] }, 'session', 'The session field must be a JSON object.'],
    [
      'a missing nested field',
      { session: { webrtc: {} } },
      'session.webrtc.sdp',
      'The session.webrtc.sdp field is required.',
    ],
  ])('names the field and the error: %s', (_, members, field, text) => {
    expect(answer({ ...valid, ...members })).toEqual({ message: text, errors: { [field]: [text] } });
  });

  it('counts the errors after the first', () => {
    expect(answer({ on: 1 })).toEqual({
      message: 'The first name field is required. (and 1 more error)',
      errors: { first_name: ['The first name field is required.'], on: ['The on field must be true or false.'] },
    });
    expect(answer({ on: 1, kind: 'c' }).message).toBe('The first name field is required. (and 2 more errors)');
  });

  it('reveals nothing of the input', () => {
    const secret = 'hunter2-hunter2';
    const body = { first_name: secret, kind: secret, id: secret, code: secret, on: secret, [secret]: 1 };
    expect(JSON.stringify(answer(body))).not.toContain(secret);
  });
});

describe('a member that does not exist', () => {
  const tag = z.union([z.int(), z.strictObject({ ...readOnlyMembers({ text: z.string() }), id: z.int() })]);
  const strict = z.strictObject({
    webhook: z.optional(z.string()),
    tags: z.optional(z.array(tag)),
    headers: z.optional(z.record(z.string(), z.string())),
    json: z.optional(z.custom<object>()),
  });
  const open = z.looseObject({ context: z.optional(z.looseObject({ id: z.optional(z.string()) })) });
  const existing = 'webhook, tags, headers, json';

  const errorsOf = (body: string | object, language: Language = 'en', of: z.ZodMiniType = strict) =>
    answer(typeof body === 'string' ? JSON.parse(body) : body, language, of).errors;

  it.each<[Language, string]>([
    ['en', `The field "url" does not exist. Fields that exist: ${existing}.`],
    ['pt-BR', `O campo "url" não existe. Campos que existem: ${existing}.`],
    ['es', `El campo "url" no existe. Campos que existen: ${existing}.`],
  ])('is explained in %s', (language, text) => {
    expect(errorsOf({ url: 'x' }, language)).toEqual({ url: [text] });
  });

  it.each(['', ' ', '🙂', 'a.b', '\u0000', '\ud800', 'constructor', 'toString', '__proto__', '{existing}', '$&'])(
    'is found whatever its name is: %j',
    (name) => {
      const text = `The field "${name}" does not exist. Fields that exist: ${existing}.`;
      expect(Object.entries(errorsOf(`{${JSON.stringify(name)}: {"webhook": "x"}}`) ?? {})).toEqual([[name, [text]]]);
    },
  );

  it('is found in every item of a list, with the names that a client may set there', () => {
    const text = (name: string) => [`The field "${name}" does not exist. Fields that exist: id.`];
    expect(errorsOf({ tags: [1, { id: 2, text: 'x' }, { id: 3, txt: 'x' }, { id: 4, ID: 4 }] })).toEqual({
      'tags.2.txt': text('tags.2.txt'),
      'tags.3.ID': text('tags.3.ID'),
    });
  });

  it('called __proto__ does not vanish, wherever zod would leave it out', () => {
    const inOpen = (body: string) => Object.keys(errorsOf(body, 'en', open) ?? {});
    expect(inOpen('{"__proto__": 1}')).toEqual(['__proto__']);
    expect(inOpen('{"context": {"id": "x", "__proto__": {"a": 1}}}')).toEqual(['context.__proto__']);
    expect(Object.keys(errorsOf('{"headers": {"__proto__": "x"}}') ?? {})).toEqual(['headers.__proto__']);
    for (const whole of ['{"json": {"__proto__": {"a": 1}}}', '{"json": [{"__proto__": 1}]}'])
      expect(JSON.stringify(parseFields(strict, JSON.parse(whole)))).toBe(JSON.stringify(JSON.parse(whole)));
    const other = '{"text":{"__proto__":{"a":1},"constructor":1}}';
    expect(JSON.stringify(parseFields(open, JSON.parse(other)))).toBe(other);
  });

  it('is repeated only in part if its name is long, as is any field that is invalid', () => {
    const name = '🙂'.repeat(1_000_000);
    for (const body of [{ [name]: 1 }, { headers: { [name]: 1 } }])
      expect(JSON.stringify(errorsOf(body)).length).toBeLessThan(600);
    expect(JSON.stringify(errorsOf({ [name]: 1 }))).toContain(`"${'🙂'.repeat(64)}…"`);
  });

  it('is named only if it is one of the first fifty', () => {
    const members = Array.from({ length: 100_000 }, (_, index) => [`member ${index}`, 1]);
    expect(Object.keys(errorsOf(Object.fromEntries(members)) ?? {})).toHaveLength(50);
    const tags = members.map(() => ({ id: 1, unknown: 1 }));
    expect(Object.keys(errorsOf({ tags }) ?? {})).toHaveLength(50);
  });
});

it('every rule has a text in every language, with the same placeholders', () => {
  const marks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const rule of fieldRules) {
    for (const language of languages)
      expect(marks(validationTexts[language][rule])).toEqual(marks(validationTexts.en[rule]));
  }
});
