import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedSize, imageDataUrl, isDay } from './values.ts';

const days = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

it('every day of the calendar is a day', () => {
  fc.assert(fc.property(days, (day) => isDay(day)));
});

it.each(['2023-02-29', '2024-02-30', '2024-13-01', '0000-00-00', '21.10.2024', '1729468800000', '', 7, undefined])(
  '%j is not a day',
  (value) => {
    expect(isDay(value)).toBe(false);
  },
);

const png = 'iVBORw0KGgoAAAANSUhEUg==';

describe('imageDataUrl', () => {
  it.each([
    [png, 'image/png'],
    [`data:image/png;base64,${png}`, 'image/png'],
    [`data:image/svg+xml;base64,${png}`, 'image/png'],
    ['/9j/4AAQSkZJRg==', 'image/jpeg'],
    ['UklGRiIAAABXRUJQ', 'image/webp'],
  ])('%s has the type %s', (source, type) => {
    expect(imageDataUrl(source)).toMatch(new RegExp(`^data:${type};base64,[A-Za-z0-9+/=]+$`));
  });

  it.each([
    '',
    'https://example.com/a.png',
    'PHN2Zz48c2NyaXB0Pg==',
    'data:image/svg+xml;base64,PHN2Zz4=',
    `${png}"onerror="x`,
    `data:text/html;base64,${png}`,
  ])('%s is not an image', (source) => {
    expect(imageDataUrl(source)).toBeUndefined();
  });
});

it('decodedSize counts bytes, not characters', () => {
  expect(decodedSize(btoa('x'.repeat(300)))).toBe(300);
  expect(decodedSize(`data:image/png;base64,${btoa('x'.repeat(300))}`)).toBe(300);
});
