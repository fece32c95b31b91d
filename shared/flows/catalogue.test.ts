import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '#shared/http/language.ts';
import { categoryCodes, categoryIdsFromUpstream, statusById, statusFromUpstream } from './catalogue.ts';
import { toCategoryObject, toStatusObject } from './texts.ts';

describe('statuses', () => {
  it.each([
    [0, 'UNKNOWN'],
    [1, 'DRAFT'],
    [2, 'PUBLISHED'],
    [3, 'DEPRECATED'],
    [4, 'BLOCKED'],
    [5, 'THROTTLED'],
  ] as const)('%d means %s, in the service and in what the upstream reports', (id, code) => {
    expect(statusById(id)).toBe(code);
    expect(statusFromUpstream(code)).toBe(code);
    for (const language of languages) expect(toStatusObject(code, language)).toMatchObject({ id, code });
  });

  it.each([-1, 6, 1.5, Number.NaN])('%d is not a status', (id) => {
    expect(statusById(id)).toBeUndefined();
  });

  it.each(['DELETED', 'draft', '', 'constructor', '__proto__'])('read %j from the upstream as UNKNOWN', (text) => {
    expect(statusFromUpstream(text)).toBe('UNKNOWN');
  });
});

describe('categories', () => {
  const codes = [
    'SIGN_UP',
    'SIGN_IN',
    'APPOINTMENT_BOOKING',
    'LEAD_GENERATION',
    'CONTACT_US',
    'CUSTOMER_SUPPORT',
    'SURVEY',
    'OTHER',
  ];
  const ids = [1, 2, 3, 4, 5, 6, 7, 8] as const;

  it('have the ids and codes of the API, in every language', () => {
    expect(categoryCodes(ids)).toEqual(codes);
    for (const language of languages) {
      expect(ids.map((id) => toCategoryObject(id, language).code)).toEqual(codes);
    }
    expect(toCategoryObject(3, 'es')).toEqual({
      id: 3,
      code: 'APPOINTMENT_BOOKING',
      description: 'Reserva de citas',
    });
  });

  it('can be read back from the upstream, in their order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...ids]), (some) => {
        expect(categoryIdsFromUpstream(categoryCodes(some))).toEqual(some);
      }),
    );
  });

  it('leave out categories that only the upstream knows', () => {
    expect(categoryIdsFromUpstream(['SHOPPING', 'OTHER', 'constructor'])).toEqual([8]);
  });
});
