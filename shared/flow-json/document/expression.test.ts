// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import {
  type Expression,
  ExpressionSyntaxError,
  evaluate,
  type Lookup,
  parseExpression,
  parseReference,
  parseValue,
} from './expression.ts';

const data: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['one', 1],
  ['two', 2],
  ['zero', 0],
  ['text', 'abc'],
  ['digits', '18'],
  ['yes', true],
  ['no', false],
  ['empty', ''],
  ['list', ['a', 'b']],
]);
const lookup: Lookup = ({ path }) => data.get(path[0]);
const value = (source: string) => evaluate(parseExpression(source), lookup);

describe('a reference', () => {
  it.each([
    ['${data.x}', 'data', undefined, ['x']],
    ['${form.first_name}', 'form', undefined, ['first_name']],
    ['${data.a.b-c.d}', 'data', undefined, ['a', 'b-c', 'd']],
    ['${screen.FIRST.form.x}', 'form', 'FIRST', ['x']],
    ['${screen.FIRST.data.x.y}', 'data', 'FIRST', ['x', 'y']],
    ['${data.__proto__}', 'data', undefined, ['__proto__']],
  ])('%s is recognised as a reference', (text, source, screen, path) => {
    expect(parseReference(text)).toEqual({ kind: 'reference', text, source, screen, path });
  });

  it.each([
    'data.x',
    '${data}',
    '${data.}',
    '${x.y}',
    '${screen.A.x}',
    '${data.x} ',
    'a ${data.x}',
    '${data.x y}',
    '${}',
  ])('%s is not recognised as a reference', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });
});

describe('the value of an expression', () => {
  it.each<[string, unknown]>([
    ['1 + 2', 3],
    ['${data.one} + ${data.two}', 3],
    ['7 - 2 - 1', 4],
    ['2 + 6 / 3', 4],
    ['(2 + 6) / 4', 2],
    ['7 % 4', 3],
    ['2 * 3', 6],
    ['-${data.two} + 5', 3],
    ['1.5 + 1', 2.5],
    ['5 / 0', 0],
    ['5 / ${data.zero}', 0],
    ['5 % 0', 0],
    ['1 < 2', true],
    ['2 <= 2', true],
    ['1 > 2', false],
    ['1 >= 2', false],
    ["${data.text} == 'abc'", true],
    ["${data.text} != 'abc'", false],
    ['${data.digits} == 18', true],
    ['${data.digits} >= 18', true],
    ['${data.empty} == 0', false],
    ["${data.nothing} == ''", true],
    ['${data.yes} == true', true],
    ['${data.one} == true', false],
    ['!${data.yes}', false],
    ['!(1 == 2)', true],
    ['${data.no} || ${data.yes}', true],
    ['${data.yes} && ${data.no}', false],
    ['${data.yes} || ${data.no} && ${data.no}', true],
    ['(${data.yes} || ${data.no}) && ${data.no}', false],
    ['1 + 1 == 2 && 3 > 2', true],
    ["'a' 'b'", 'ab'],
    ["'Hello ' ${data.text} '!'", 'Hello abc!'],
    ["'Sum: ' 1 + 2", 'Sum: 3'],
    ["'a' 'b' == 'ab'", true],
    ["'It\\'s' ' \\` ' '\\\\'", "It's ` \\"],
    ["${data.nothing} 'x'", 'x'],
    ['${data.list}', ['a', 'b']],
  ])('%s evaluates to %j', (source, expected) => {
    expect(value(source)).toEqual(expected);
  });
});

describe('an invalid expression', () => {
  it.each([
    ['', 'Found the end where a value should be at column 1'],
    ['()', 'Found invalid empty parentheses at column 1'],
    ['1 + ()', 'Found invalid empty parentheses at column 5'],
    ['(1', 'Found unclosed parenthesis at column 1'],
    ['1)', "Found unexpected ')' at column 2"],
    ['1 +', 'Found the end where a value should be at column 4'],
    ['== 1', "Found unexpected '==' at column 1"],
    ['1 ! 2', "Found unexpected '!' at column 3"],
    ['1 & 2', 'Found unexpected character at column 3'],
    ['"a"', 'Found unexpected character at column 1'],
    ["'a", 'Found unexpected character at column 1'],
    ['alert(1)', "Found unexpected 'alert' at column 1"],
    ['${x.y}', "Found invalid dynamic data '${x.y}' at column 1"],
    ['1+'.repeat(400).concat('1'), 'Found more than 500 operands'],
  ])('%s is rejected with the message: %s', (source, message) => {
    expect(() => parseExpression(source)).toThrow(new ExpressionSyntaxError(message));
  });
});

describe('a text in a property', () => {
  it.each([
    ['plain', 'plain'],
    ['${data.one}', 1],
    ["`'a' ${data.text}`", 'aabc'],
    ['a `1 + 1` b', 'a `1 + 1` b'],
    ['\\`1 + 1`', '`1 + 1`'],
    ['``', '``'],
    ['`', '`'],
    ['${data.one} more', '${data.one} more'],
  ])('%s evaluates to %j', (text, expected) => {
    expect(evaluate(parseValue(text), lookup)).toBe(expected);
  });
});

describe('properties', () => {
  const _number = fc.integer({ min: 0, max: 1000 });

  it('texts are concatenated in order, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 20 }), (texts) => {
        const source = texts.map((text) => `'${text.replace(/[\\']/g, '\\$&')}'`).join(' ');
        expect(value(source)).toBe(texts.join(''));
      }),
    );
  });

  it('any invalid source is rejected with a column in the message', () => {
    const noise = fc.array(
      fc.constantFrom('(', ')', '!', '-', '+', '==', '&&', '1', "'a'", '${data.one}', 'true', ' ', '`', '${', '*', '%'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          noise.map((parts) => parts.join('')),
        ),
        (source) => {
          let expression: Expression;
          try {
            expression = parseExpression(source);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionSyntaxError);
            const column = Number(/column (\d+)$/.exec(String(error))?.[1] ?? 1);
            expect(column >= 1 && column <= source.length + 1).toBe(true);
            return;
          }
          evaluate(expression, lookup);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
