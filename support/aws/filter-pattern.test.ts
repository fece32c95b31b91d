import { describe, expect, it } from 'vitest';
import { parseFilterPattern } from './filter-pattern.ts';

const line = JSON.stringify({ type: 'a', message: { event: 'x.y', text: 'x.y', list: ['x.y'], count: 1 } });

it.each([
  ['{ $.message.event = "x.y" }', true],
  ['{$.message.event="x.y"}', true],
  ['{ $.message.event = "x" }', false],
  ['{ $.message.event = "X.Y" }', false],
  ['{ $.message = "x.y" }', false],
  ['{ $.message.list = "x.y" }', false],
  ['{ $.message.event.length = "x" }', false],
  ['{ $.message.toString = "x" }', false],
  ['{ $.event = "x.y" }', false],
  ['{ $.type = "a" && $.message.event = "x.y" }', true],
  ['{ $.type = "b" && $.message.event = "x.y" }', false],
  ['{ $.type = "b" || $.message.event = "x.y" }', true],
  ['{ $.type = "a" || $.type = "b" && $.type = "c" }', true],
  ['{ ($.type = "a" || $.type = "b") && $.type = "c" }', false],
])('the pattern %s matches: %s', (pattern, matches) => {
  expect(parseFilterPattern(pattern)(line)).toBe(matches);
});

it.each(['', 'x.y', `"${line}"`, `${line}x`, `[${line}]`, 'null'])('no pattern matches the line %s', (other) => {
  expect(parseFilterPattern('{ $.message.event = "x.y" }')(other)).toBe(false);
});

describe('the model rejects syntax that it does not know:', () => {
  it.each([
    '',
    'x.y',
    '"x.y"',
    '{}',
    '{ $.a }',
    '{ $.a = }',
    '{ $.a = x }',
    '{ $.a = "x*" }',
    '{ $.a = "1" }',
    '{ $.a = 1 }',
    '{ $.a != "x" }',
    '{ $.a > 1 }',
    '{ $.a = %x% }',
    '{ $.a IS TRUE }',
    '{ $.a NOT EXISTS }',
    '{ $.a[0] = "x" }',
    '{ $.* = "x" }',
    '{ $ = "x" }',
    '{ a = "x" }',
    '{ $.a = "x" & $.b = "x" }',
    '{ $.a = "x" $.b = "x" }',
    '{ ($.a = "x" }',
    '{ $.a = "x" ) }',
    '{ $.a = "x"',
    '{ $.a = "x" } x',
  ])('%s', (pattern) => {
    expect(() => parseFilterPattern(pattern)).toThrow(/does not know/);
  });
});
