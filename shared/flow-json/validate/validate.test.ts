// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { examples, flowAround } from '#support/flows/component-examples.ts';
import {
  errorsOf,
  flow,
  flowWith,
  footer,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
  toText,
} from '#support/flows/flow-json.ts';
import { componentTable } from '../document/components.ts';
import { validateFlowJson } from './validate.ts';

const megabytes = 10 * 1024 * 1024;

describe('a finding', () => {
  it('has the shape of Graph’s findings', () => {
    const lines = ['{', '  "version": "7.3",', '  "screens": [', '    { "id": "A1", "title": "" }', '  ]', '}'];
    const position = { line_start: 4, line_end: 4, column_start: 13, column_end: 17 };
    expect(validateFlowJson(lines.join('\n')).errors).toContainEqual({
      error: 'PATTERN_MISMATCH',
      error_type: 'FLOW_JSON_ERROR',
      message: "Property 'id' should only consist of alphabets and underscores.",
      ...position,
      pointers: [{ ...position, path: 'screens[0].id' }],
    });
  });

  it('about the whole document has no pointer', () => {
    const [finding] = validateFlowJson('[]').errors;
    expect(finding).toEqual({
      error: 'INVALID_FLOW_JSON',
      error_type: 'FLOW_JSON_ERROR',
      message: 'Flow JSON is not valid. It should be an object.',
      line_start: 1,
      line_end: 1,
      column_start: 1,
      column_end: 3,
    });
  });

  it('comes before findings further down in the text', () => {
    const { errors } = validateFlowJson(toText({ screens: [{ id: '1', title: 1 }, 5], more: 1 }));
    const places = errors.map(({ line_start, column_start }) => line_start * 1000 + column_start);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.length).toBeGreaterThan(4);
  });
});

describe('a text that is not a Flow JSON', () => {
  it.each(['', ' ', 'x', '"x"', '5', 'null', '[]', '{', '{"version":7.3.1}', '{}{}'])(
    'is reported as invalid: %j',
    (text) => {
      expect(errorsOf(text)).toEqual(['INVALID_FLOW_JSON']);
    },
  );

  it('is reported at the position where it stops being JSON', () => {
    expect(validateFlowJson('{\n  "version": 7.3.1\n}').errors).toEqual([
      {
        error: 'INVALID_FLOW_JSON',
        error_type: 'FLOW_JSON_ERROR',
        message: 'Flow JSON is not valid. Unexpected character "."',
        line_start: 2,
        line_end: 2,
        column_start: 17,
        column_end: 17,
      },
    ]);
  });
});

describe('limits', () => {
  it('allow 100 screens and no more', () => {
    const screens = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const id = (n: number) => `S${'A'.repeat(n)}`;
        return index === count - 1 ? screen(id(index)) : step(id(index), [footer(navigateTo(id(index + 1)))]);
      });
    expect(errorsOf(flow(screens(100)))).toEqual([]);
    expect(errorsOf(flow(screens(101)))).toEqual(['MAX_SCREENS_NUMBER']);
  });

  it('allow 10 MB and no more, counted in bytes', () => {
    const withTitle = (title: string) => JSON.stringify(flow([screen('A', [], { title })]));
    const room = megabytes - withTitle('').length;
    expect(errorsOf(withTitle('x'.repeat(room)))).toEqual([]);
    expect(errorsOf(withTitle('x'.repeat(room + 1)))).toEqual(['INVALID_FLOW_JSON']);
    expect(errorsOf(withTitle('é'.repeat(room / 2 + 1)))).toEqual(['INVALID_FLOW_JSON']);
  });

  it('shorten the list of findings', () => {
    const children = Array.from({ length: 5000 }, () => ({ type: 'Marquee' }));
    expect(validateFlowJson(toText(flowWith(children))).errors).toHaveLength(500);
  });
});

/** JSON in which a Flow is damaged at one place. */
const damagedFlow = fc
  .record({
    type: fc.constantFrom(...Object.keys(componentTable)),
    place: fc.nat(),
    value: fc.oneof(
      fc.json().map((text): unknown => JSON.parse(text)),
      fc.constantFrom('${data.x}', '`(`', '__proto__', {}, []),
    ),
  })
  .map(({ type, place, value }) => {
    let left = place % 60;
    return JSON.stringify(flowAround(examples[type] ?? {}), (_, member) => {
      left -= 1;
      return left === 0 ? value : member;
    });
  });

describe('any text', () => {
  it('leads to findings with valid positions', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json(), damagedFlow), (text) => {
        const { errors, warnings } = validateFlowJson(text);
        const lines = text.split('\n').length;
        for (const { line_start, line_end, column_start, column_end } of [...errors, ...warnings]) {
          expect(line_start).toBeGreaterThanOrEqual(1);
          expect(line_end).toBeLessThanOrEqual(lines);
          expect(line_end > line_start || column_end >= column_start).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leads to the same findings, however it is laid out', () => {
    fc.assert(
      fc.property(damagedFlow, fc.constantFrom(1, 4, '\t'), (text, indent) => {
        const found = (json: string) =>
          validateFlowJson(json).errors.map(({ error, message }) => `${error} ${message}`);
        expect(found(JSON.stringify(JSON.parse(text), null, indent))).toEqual(found(text));
      }),
    );
  });

  /** A path tells names apart that are not empty and have neither dots nor brackets. */
  function hasPlainNames(text: string): boolean {
    const names: string[] = [];
    JSON.parse(text, (name) => void names.push(name));
    return names.slice(0, -1).every((name) => /^[^.[\]]+$/.test(name));
  }

  it('has each finding at the value that its path leads to', () => {
    fc.assert(
      fc.property(damagedFlow.filter(hasPlainNames), (damaged) => {
        const json: unknown = JSON.parse(damaged);
        const pretty = toText(json);
        const pointed = pointedAt(pretty);
        const { errors } = validateFlowJson(pretty);
        for (const [index, { pointers }] of errors.entries()) {
          const text = pointed[index]?.[1] ?? '';
          const path = pointers?.[0]?.path ?? '';
          if (path === '' || !/^[\w.[\]-]*$/.test(path) || errors[index]?.error.endsWith('_KEY')) continue;
          const names = path.split(/[.[\]]+/).filter((name) => name !== '');
          const value = names.reduce<unknown>((at, name) => (at as Json | undefined)?.[name], json);
          if (JSON.stringify(names.at(-1)) !== text) expect(JSON.parse(text)).toEqual(value);
        }
      }),
    );
  });
});

describe('a hostile text', () => {
  const children = (list: string) =>
    `{"version":"7.3","screens":[{"id":"A","title":"t","terminal":true,"layout":{"type":"SingleColumnLayout","children":[${list}]}}]}`;
  const filling = (text: string, share = 1) => text.repeat((share * (megabytes - 1000)) / text.length);
  const inText = (text: string) => children(JSON.stringify({ type: 'TextBody', text }));

  it.each([
    ['brackets', '['.repeat(megabytes)],
    ['braces', '{"a":'.repeat(megabytes / 5)],
    ['values', `[${filling('1,')}1]`],
    ['empty lines', `${filling('\n')}{}`],
    ['escapes', `{"version":"${filling('\\u0041')}"}`],
    ['a name', `{"${filling('n')}":1}`],
    ['a version', `{"version":"${filling('7')}.3"}`],
    ['parentheses', inText(`\`${filling('(')}\``)],
    ['operators', inText(`\`${filling('1+')}1\``)],
    ['references', inText(filling('${data.'))],
    ['a long reference', inText(`\${data${filling('.a')}}`)],
    ['a quoted text', inText(`\`'${filling('a')}'\``)],
    ['quotes', inText(`\`${filling("'")}\``)],
    ['an image', children(`{"type":"Image","src":"/9j/${filling('a')}!"}`)],
    ['a pattern', children(`{"type":"TextInput","name":"a","label":"b","pattern":"${filling('(a+)+')}"}`)],
    ['sets without an end', children(`${`{"type":"TextInput","pattern":"${'['.repeat(4_999)}"},`.repeat(300)}{}`)],
    [
      'an address',
      children(
        `{"type":"EmbeddedLink","text":"a","on-click-action":{"name":"open_url","url":"https://${filling('a')}"}}`,
      ),
    ],
    [
      'Forms in Forms',
      children(
        `${'{"type":"Form","name":"f","children":['.repeat(150)}${filling('{"type":"OptIn","name":"a"},', 0.1)}{}${']}'.repeat(150)}`,
      ),
    ],
    [
      'Ifs in Ifs',
      children(
        `${'{"type":"If","condition":"${data.a}","then":['.repeat(150)}${filling('{"type":"If"},', 0.05)}{}${']}'.repeat(150)}`,
      ),
    ],
    ['components', children(`${filling('{"type":"Footer"},', 0.15)}{}`)],
    ['screens', `{"version":"7.3","screens":[${filling('{},', 0.04)}{}]}`],
    [
      'routes',
      `{"version":"7.3","data_api_version":"3.0","screens":[{"id":"A"}],"routing_model":{"A":[${filling('"A",', 0.07)}"A"]}}`,
    ],
    [
      'data',
      `{"version":"7.3","screens":[{"id":"A","data":{"a":${'{"type":"array","items":'.repeat(200)}{}${'}'.repeat(200)}}}]}`,
    ],
  ])('made of %s leads to findings of a bounded size', (_, text) => {
    const { errors, warnings } = validateFlowJson(text);
    expect(errors.length + warnings.length).toBeGreaterThan(0);
    expect(JSON.stringify({ errors, warnings }).length).toBeLessThan(2_000_000);
  });

  it('with names of JavaScript prototypes is treated like any other', () => {
    expect(errorsOf('{"version":"7.3","screens":[],"__proto__":{},"constructor":1,"hasOwnProperty":2}')).toEqual([
      'MIN_ITEMS_REQUIRED',
      'INVALID_PROPERTY_KEY',
      'INVALID_PROPERTY_KEY',
      'INVALID_PROPERTY_KEY',
    ]);
    expect(errorsOf(children('{"type":"__proto__"}'))).toContain('INVALID_PROPERTY_VALUE');
    expect(errorsOf(children('{"type":"Footer","label":"x","on-click-action":{"name":"constructor"}}'))).toEqual([
      'INVALID_ENUM_VALUE',
    ]);
  });
});
