import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/http/validation.ts';
import { isString, itRejects, itRejectsForeignMembers, type Mutation, notOf } from '#support/http/schema-properties.ts';
import { createPreview } from './contracts.ts';

const number = fc.uuid({ version: [1, 4, 7] });
const validUntil = fc.integer({ min: 1, max: 6 });
const validPreview = fc.oneof(
  fc.record({ number, valid_until: validUntil }),
  fc.record({ number, valid_until: validUntil, invalidate_previous: fc.boolean() }),
);

const previewMutations: Mutation[] = [
  ['number', fc.constant(undefined)],
  ['number', notOf(isString)],
  ['number', fc.string()],
  ['valid_until', fc.constant(undefined)],
  ['valid_until', notOf((value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 6)],
  ['valid_until', fc.constantFrom(0, 7, '1', 1.5, -1, 1e20, null, true, [1])],
  ['invalidate_previous', notOf((value) => typeof value === 'boolean')],
];

describe('the body of a preview', () => {
  it('the body of a preview is passed on unchanged', () => {
    fc.assert(
      fc.property(validPreview, (body) => {
        expect(parseFields(createPreview.body, body)).toEqual(body);
      }),
    );
  });

  it('accepts a number id in any case, and passes it on in lower case', () => {
    fc.assert(
      fc.property(validPreview, (body) => {
        expect(parseFields(createPreview.body, { ...body, number: body.number.toUpperCase() })).toEqual(body);
      }),
    );
  });

  itRejects(createPreview.body, validPreview, previewMutations);
  itRejectsForeignMembers(createPreview.body, validPreview);
});
