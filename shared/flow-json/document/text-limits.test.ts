import { expect, it } from 'vitest';
import { textLimits } from './text-limits.ts';

it.each([
  ['TextHeading', 'text', 80],
  ['TextBody', 'text', 4096],
  ['Footer', 'left-caption', 15],
  ['RichText', 'text', undefined],
  ['Dropdown', 'data-source', undefined],
])('of a %s phones show so much of its %s: %s', (type, name, limit) => {
  expect(textLimits[type]?.[name]).toBe(limit);
});
