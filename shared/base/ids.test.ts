import fc from 'fast-check';
import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { idsBy, newId, parseUuid } from './ids.ts';

/** What follows time and counter. */
const randomPart = (id: string) => id.slice('xxxxxxxx-xxxx-xxxx-'.length);

const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('newId', () => {
  it('makes UUIDs of version 7 that sort in the order in which they were made', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('newId begins with the time', () => {
    const before = Date.now();
    const time = timeOf(newId());
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });
});

describe('the ids of a clock', () => {
  it('sort even if it makes more in a millisecond than the counter has numbers', () => {
    const ids = Array.from(
      { length: 10_000 },
      idsBy(() => 1_795_000_000_000),
    );
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map(randomPart)).size).toBe(ids.length);
  });

  it('sort even if it is set back', () => {
    const times = [2_000, 1_000, 3_000];
    const nextId = idsBy(() => times.shift() ?? 0);
    const ids = [nextId(), nextId(), nextId()];
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map(timeOf)).toEqual([2_000, 2_000, 3_000]);
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
});
