import { describe, expect, it } from 'vitest';
import { Located } from '#shared/flow-json/validate/flow-source.ts';
import { examples, flowAround, ifElse } from '#support/flows/component-examples.ts';
import { flow, type Json, screen } from '#support/flows/flow-json.ts';
import { parseWithPositions } from '../validate/parse-with-positions.ts';
import { readComponents, readFlow, withDescendants } from './read-flow.ts';
import { type JsonValue, ParsedValue } from './values.ts';

/** Everything that the reader says of a document, in either form. */
function readingOf<V extends JsonValue<V>>(document: V): unknown {
  const { screens, routes, ...frame } = readFlow(document);
  const textsOf = (values: readonly V[]) => values.map(({ string }) => string);
  return {
    ...frame,
    routes: [...routes].map(([id, next]) => [id, textsOf(next)]),
    screens: screens.map(({ node, data, ...rest }) => ({
      ...rest,
      data: [...data.keys()],
      components: withDescendants(readComponents({ node, data, ...rest })).map(({ type, key, parent, branches }) => ({
        type,
        key,
        parent: parent?.key,
        branches: [...branches.keys()],
      })),
    })),
  };
}

const deep = ifElse([ifElse([{ type: 'Form', children: [{ type: 'TextInput', name: 'a' }] }])], [{ type: 'TextBody' }]);

describe('the reader of a Flow JSON', () => {
  it.each<[string, unknown]>([
    ...Object.entries(examples).map(([type, example]) => [type, flowAround(example)] satisfies [string, unknown]),
    ['nested branches', flow([screen('A', [deep])], { routing_model: { A: ['B', 1], __proto__x: {} } })],
    ['nothing', {}],
    ['what is not an object', null],
    [
      'wrong types',
      { version: 7, data_api_version: null, screens: [1, null, {}, { id: 3, layout: [] }], routing_model: [] },
    ],
    [
      'components that are none',
      flow([{ layout: { children: [null, 'x', [], { type: 'Switch', cases: { a: 1 } }] } }]),
    ],
  ])('reads the same Flow with and without positions: %s', (_, json) => {
    const located = new Located(parseWithPositions(JSON.stringify(json)));
    expect(readingOf(located)).toEqual(readingOf(new ParsedValue(json)));
  });

  it('lists parents before their children, each component with its location', () => {
    const [first] = readFlow(new ParsedValue(flow([screen('A', [deep])]))).screens;
    if (first === undefined) throw new Error('no screen');
    expect(withDescendants(readComponents(first)).map(({ type, key }) => `${key} ${type}`)).toEqual([
      '/0 If',
      '/0/then/0 If',
      '/0/then/0/then/0 Form',
      '/0/then/0/then/0/children/0 TextInput',
      '/0/else/0 TextBody',
      '/1 Footer',
    ]);
  });

  it('reads up to 3,000 components of a screen, which are in each other up to 20 levels deep', () => {
    const read = (children: Json[]) => {
      const [first] = readFlow(new ParsedValue(flow([screen('A', children)]))).screens;
      return first === undefined ? 0 : withDescendants(readComponents(first)).length;
    };
    const form = (levels: number): Json => ({ type: 'Form', children: levels === 0 ? [] : [form(levels - 1)] });
    expect(read(Array.from({ length: 4_000 }, () => form(0)))).toBe(3_000);
    expect(read([form(100)])).toBe(22);
  });
});
