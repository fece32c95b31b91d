import { expect, it } from 'vitest';
import { TEXT_LIMITS } from './text-limits.ts';

it.each([
  ['TextHeading', 'text', 80],
  ['TextBody', 'text', 4096],
  ['Footer', 'left-caption', 15],
  ['RichText', 'text', undefined],
  ['Dropdown', 'data-source', undefined],
])('of a %s phones show so much of its %s: %s', (type, name, limit) => {
  expect(TEXT_LIMITS[type]?.[name]).toBe(limit);
});
