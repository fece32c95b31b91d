import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#shared/base/json.ts';
import { maxResponseBytes, RawJson, sizeInResponse, stringify } from './response-body.ts';

describe('stringify', () => {
  it('inserts a raw text unchanged', () => {
    const flow = { id: '1', gone: undefined, json: new RawJson('{"n":1.0,"ü":"\\ud800"}'), version: null };
    const written = '{"id":"1","json":{"n":1.0,"ü":"\\ud800"},"version":null}';
    expect(stringify(flow)).toBe(written);
    expect(stringify({ data: [flow, flow], meta: {} })).toBe(`{"data":[${written},${written}],"meta":{}}`);
  });

  it('writes everything else like JSON.stringify', () => {
    const value = { list: [1, undefined, { a: undefined }], number: parseExactJson('1.0'), 'a"b': 'é\n' };
    expect(stringify(value)).toBe('{"list":[1,null,{}],"number":1.0,"a\\"b":"é\\n"}');
  });

  it('is the only way to write a raw text, also after it has thrown', () => {
    const raw = new RawJson('{}');
    const faulty = {
      raw,
      toJSON() {
        throw new Error('faulty');
      },
    };
    expect(() => stringify([raw, faulty])).toThrow('faulty');
    expect(() => JSON.stringify({ raw })).toThrow('Only stringify writes a raw JSON text');
    expect(stringify([raw])).toBe('[{}]');
  });

  it('writes a parsed raw text as JSON.stringify writes its value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, around) => {
        const raw = new RawJson(JSON.stringify(value));
        expect(stringify({ ...around, list: [raw], raw })).toBe(
          JSON.stringify({ ...around, list: [value], raw: value }),
        );
      }),
    );
  });
});

describe('sizeInResponse', () => {
  it('counts every text as JSON.stringify writes it', () => {
    const controls = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));
    const text = fc.string({ unit: fc.oneof(controls, fc.constantFrom('\ud800', '\udc00', '🌵', 'é', '\u2028')) });
    fc.assert(
      fc.property(text, (any) => {
        expect(sizeInResponse(any)).toBe(Buffer.byteLength(JSON.stringify(any)));
      }),
    );
  });

  it('is the size that the body adds to the response for Lambda', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const around = Buffer.byteLength('{"statusCode":200,"body":}');
        expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body: json }))).toBe(around + sizeInResponse(json));
      }),
    );
  });
});

it('the size limit leaves room for headers within the 6 MB of a Lambda response', () => {
  const sixMegabytes = 6 * 1024 * 1024;
  expect(maxResponseBytes).toBeLessThan(sixMegabytes - 10_240);
  expect(maxResponseBytes).toBeGreaterThan(5_500_000);
});
