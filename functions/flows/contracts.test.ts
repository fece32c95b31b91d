import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/http/validation.ts';
import { anyText } from '#support/arbitraries.ts';
import { faults, isRecord, itRejects, json, notOf } from '#support/http/schema-properties.ts';
import { listFlows, updateFlowJson } from './contracts.ts';

describe('the query of the list', () => {
  it.each([0, 1, 2, 3, 4, 5])('the query of the list takes status %d', (status) => {
    expect(parseFields(listFlows.query, { status: String(status) })).toEqual({ status });
  });

  it('takes every limit from 1 to 100', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (limit) => {
        expect(parseFields(listFlows.query, { limit: String(limit) })).toEqual({ limit });
      }),
    );
  });

  it.each([
    ['status', ['6', '9', '-1', '1.0', '01', ' ', 'DRAFT', '1,2', '１', '0x1', 'null']],
    ['limit', ['0', '101', '-1', '1.5', '1e1', '', ' 1', '1000', '+1', 'all', '1,2', '٣']],
    ['cursor', ['x'.repeat(501)]],
  ])('the query of the list rejects a wrong %s', (field, texts) => {
    for (const text of texts) expect(faults(listFlows.query, { [field]: text }), text).toEqual([field]);
  });

  it('takes no other text for a status or a limit', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(text !== '' && !/^\d{1,3}$/.test(text));
        expect(faults(listFlows.query, { status: text, limit: text })).toEqual(['status', 'limit']);
      }),
    );
  });

  it('rejects parameters that it does not know', () => {
    const query = JSON.parse('{"__proto__":"1","page":"2","status":"1"}');
    expect(faults(listFlows.query, query)).toEqual(['__proto__', 'page']);
  });
});

describe('the body of a content update', () => {
  const object = fc.dictionary(fc.string(), json);

  it('keeps every member unchanged, even those with names such as `constructor`', () => {
    fc.assert(
      fc.property(object, (content) => {
        const text = `{"__proto__":{"a":1},"constructor":null,"content":${JSON.stringify(content)}}`;
        const { json: parsed } = parseFields(updateFlowJson.body, JSON.parse(`{"json":${text}}`));
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  itRejects(
    updateFlowJson.body,
    object.map((content) => ({ json: content })),
    [
      ['json', fc.constant(undefined)],
      ['json', notOf(isRecord)],
    ],
  );
});
