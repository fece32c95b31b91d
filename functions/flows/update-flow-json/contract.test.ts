import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/http/validation.ts';
import { isRecord, itRejects, json, notOf } from '#support/http/schema-properties.ts';
import { contract } from './contract.ts';

describe('the body of a content update', () => {
  const object = fc.dictionary(fc.string(), json);

  it('keeps every member unchanged, even those with names such as `constructor`', () => {
    fc.assert(
      fc.property(object, (content) => {
        const text = `{"__proto__":{"a":1},"constructor":null,"content":${JSON.stringify(content)}}`;
        const { json: parsed } = parseFields(contract.body, JSON.parse(`{"json":${text}}`));
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  itRejects(
    contract.body,
    object.map((content) => ({ json: content })),
    [
      ['json', fc.constant(undefined)],
      ['json', notOf(isRecord)],
    ],
  );
});
