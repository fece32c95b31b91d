import fc from 'fast-check';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { ServiceError } from '#shared/base/service-error.ts';
import { parseFields } from '#shared/http/validation.ts';
import type { BodyCheck } from '#shared/operations/middleware.ts';

/** JSON as parsed from a body, which has no other types. */
export const json = fc.jsonValue();

export const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isString = (value: unknown) => typeof value === 'string';

export const notOf = (isValid: (value: unknown) => boolean) => json.filter((value) => !isValid(value));

/** A field, and values that must be rejected whatever the other fields are. */
export type Mutation = [field: string, values: fc.Arbitrary<unknown>, named?: string];

/** The fields for which an input is rejected; none if it is accepted. */
export function faults(schema: z.ZodMiniObject, input: unknown, check?: BodyCheck): string[] {
  try {
    parseFields(schema, input, { check });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [...new Set(error.fields.map(({ field }) => field))];
  }
}

export function itRejects(
  schema: z.ZodMiniObject,
  valid: fc.Arbitrary<object>,
  mutations: Mutation[],
  check?: BodyCheck,
): void {
  it.each(mutations)('rejects a wrong %s, and for this field', (field, values, named = field) => {
    fc.assert(
      fc.property(valid, values, (body, value) => {
        expect(faults(schema, { ...body, [field]: value }, check)).toContain(named);
      }),
    );
  });
}

export function itRejectsForeignMembers(schema: z.ZodMiniObject, valid: fc.Arbitrary<object>): void {
  it('rejects every member that it does not name, even those that every object has', () => {
    const foreign = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1';
    fc.assert(
      fc.property(valid, (body) => {
        const rejected = faults(schema, JSON.parse(`{${foreign},${JSON.stringify(body).slice(1)}`));
        expect(rejected).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
        expect({}).not.toHaveProperty('polluted');
      }),
    );
  });
}
