import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flow, screen, step } from '#support/flows/flow-json.ts';
import { noticeFindings, readOutline, responseFindings } from './endpoint-response.ts';

const field = { type: 'string', __example__: 'x' };
const list = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'string' }, seats: { type: 'integer' } } },
  __example__: [],
};
const outline = readOutline(
  flow([step('A', []), step('B', [], { data: { slots: list, day: field } }), screen('C')], {
    data_api_version: '3.0',
    routing_model: { A: ['B'], B: ['C'] },
  }),
);
const found = (shown: string | undefined, response: unknown) =>
  responseFindings(outline, shown, response).map(({ code, path, expected }) =>
    [code, path, ...(expected === undefined ? [] : [expected])].join(' '),
  );

it.each([
  [undefined, { screen: 'A', data: {} }],
  [undefined, { screen: 'A' }],
  ['A', { screen: 'B', data: { slots: [], day: 'x' } }],
  ['A', { screen: 'B', data: { slots: [{ id: 'a', seats: 2, more: true }], day: 'x' } }],
  ['B', { screen: 'A', data: {} }],
  ['B', { screen: 'B', data: { error_message: 'Closed' } }],
  ['B', { screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token: 't' } } } }],
  ['B', { version: '3.0', screen: 'B', data: {} }],
  // What is not a response for a screen of the Flow is somebody else's business.
  ['A', { screen: 'X', data: { a: 1 } }],
  ['A', { screen: '__proto__', data: {} }],
  ['A', undefined],
])('from %s, the response %j has no findings', (shown, response) => {
  expect(found(shown, response)).toEqual([]);
});

it.each([
  ['A', { screen: 'C' }, ['no-route C']],
  [
    'A',
    { screen: 'B', data: { slots: [], hour: 1, __proto__: 1 } },
    ['missing-data data.day', 'undeclared-data data.hour'],
  ],
  ['A', { screen: 'B' }, ['missing-data data.slots', 'missing-data data.day']],
  ['B', { screen: 'B', data: { day: 5 } }, ['wrong-type data.day string']],
  ['B', { screen: 'B', data: { day: null } }, ['wrong-type data.day string']],
  ['B', { screen: 'B', data: { slots: {} } }, ['wrong-type data.slots array']],
  ['B', { screen: 'B', data: { slots: ['nine', 'ten'] } }, ['wrong-type data.slots[0] object']],
  ['B', { screen: 'B', data: { slots: [{ seats: 1 }, { seats: '2' }] } }, ['wrong-type data.slots[1].seats integer']],
  [
    'B',
    { screen: 'B', data: { slots: [{ id: 1, seats: 1.5 }] } },
    ['wrong-type data.slots[0].id string', 'wrong-type data.slots[0].seats integer'],
  ],
  ['B', { screen: 'SUCCESS' }, ['no-params data.extension_message_response.params']],
  [
    'B',
    { screen: 'SUCCESS', data: { extension_message_response: {} } },
    ['no-params data.extension_message_response.params'],
  ],
  [
    'B',
    { screen: 'SUCCESS', data: { extension_message_response: { params: {} } } },
    ['no-flow-token data.extension_message_response.params.flow_token'],
  ],
])('from %s, the response %j has the findings %j', (shown, response, findings) => {
  expect(found(shown, response)).toEqual(findings);
});

it('no more than twenty findings are reported', () => {
  const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, index]));
  expect(found('B', { screen: 'B', data })).toHaveLength(20);
});

it('a Flow without a routing model has no findings with routes', () => {
  const unrouted = readOutline(flow([step('A', []), screen('C')]));
  expect(responseFindings(unrouted, 'A', { screen: 'C' })).toEqual([]);
});

it('a notice has to be acknowledged', () => {
  expect(noticeFindings({ data: { acknowledged: true } })).toEqual([]);
  for (const response of [{}, { data: { acknowledged: 'true' } }, undefined, []]) {
    expect(noticeFindings(response)).toEqual([{ code: 'not-acknowledged', path: 'data.acknowledged' }]);
  }
});

describe('hostile input', () => {
  it('of any shape leads to findings, never to an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (json, response) => {
        responseFindings(readOutline(json), 'A', response);
        responseFindings(readOutline({ screens: [{ id: 'A', data: json }] }), 'A', { screen: 'A', data: response });
        noticeFindings(response);
      }),
    );
  });

  it('with an endless schema is checked only as deep as the data', () => {
    const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(responseFindings(outline, 'B', { screen: 'B', data: { day: deep(5_000) } })).toHaveLength(1);
  });
});

// Some milliseconds of work; what grows with both would not end in the time of a test.
it('a finding is found quickly, however much is declared and sent', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
  );
  const many = readOutline({
    screens: [{ id: 'A', data: { list: { type: 'array', items: { properties, type: 'object' } } } }],
  });
  const response = { screen: 'A', data: { list: [...Array.from({ length: 100_000 }, () => ({})), { p99999: 1 }] } };
  expect(responseFindings(many, undefined, response)).toEqual([
    { code: 'wrong-type', path: 'data.list[100000].p99999', expected: 'string' },
  ]);
});
