import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { decodeCursor, encodeCursor } from './page.ts';

const towards = fc.constantFrom('older', 'newer');
const cursors = fc.record({ list: fc.uuid(), item: fc.uuid(), towards });

describe('cursor', () => {
  it('can be decoded again for its own list', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(decodeCursor(encodeCursor(cursor), cursor.list)).toEqual(cursor);
      }),
    );
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(encodeCursor(cursor)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  it('is invalid for another list', () => {
    fc.assert(
      fc.property(cursors, fc.uuid(), (cursor, other) => {
        fc.pre(other !== cursor.list);
        expect(decodeCursor(encodeCursor(cursor), other)).toBeUndefined();
      }),
    );
  });

  it('is invalid after any change', () => {
    fc.assert(
      fc.property(cursors, fc.nat(), fc.string({ minLength: 1, maxLength: 2 }), (cursor, at, inserted) => {
        const text = encodeCursor(cursor);
        const position = at % (text.length + 1);
        expect(decodeCursor(text.slice(0, position) + inserted + text.slice(position), cursor.list)).toBeUndefined();
        expect(decodeCursor(text.slice(0, position % text.length), cursor.list)).toBeUndefined();
      }),
    );
  });

  it('is not decoded from any other text', () => {
    fc.assert(
      fc.property(anyText, fc.uuid(), (text, list) => {
        expect(decodeCursor(text, list)).toBeUndefined();
      }),
    );
  });

  const list = '018f0000-0000-7000-8000-000000000001';
  const item = '018f0000-0000-7000-8000-0000000000f1';

  it.each([
    ['a direction that is none', `${list} ${item} sideways`],
    ['no direction', `${list} ${item}`],
    ['more than it should hold', `${list} ${item} older x`],
    ['an item that is none', `${list} FLOW#1 older`],
    ['an item in another writing', `${list} ${item.toUpperCase()} older`],
  ])('is invalid if it holds %s', (_, text) => {
    expect(decodeCursor(Buffer.from(text).toString('base64url'), list)).toBeUndefined();
  });
});
