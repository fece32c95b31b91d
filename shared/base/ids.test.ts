import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId, parseUuid } from './ids.ts';

describe('newId', () => {
  it('makes UUIDs of version 7 that sort in the order in which they were made', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('parseUuid', () => {
  it('accepts a UUID of any version in any case and returns it in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(parseUuid(id)).toBe(id);
        expect(parseUuid(id.toUpperCase())).toBe(id);
      }),
    );
  });

  const id = '018f0000-0000-7000-8000-000000000001';

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a text around it', ` ${id}`],
    ['a line end behind it', `${id}\n`],
    ['two of them', `${id},${id}`],
    ['no hyphens', id.replaceAll('-', '')],
    ['braces', `{${id}}`],
    ['a letter beyond f', id.replace('f', 'g')],
    ['a full-width digit', id.replace('8', '８')],
    ['a key of the table', `${id}#FLOW`],
    ['a property of every object', '__proto__'],
  ])('rejects a text that is not a UUID: %s', (_, text) => {
    expect(parseUuid(text)).toBeUndefined();
  });

  it('rejects every other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseUuid(text)).toBeUndefined();
      }),
    );
  });
});
