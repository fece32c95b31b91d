import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedSize, formatDate, imageDataUrl, isDay, parseDate, writesTimestamps } from './values.ts';
import { versions } from './versions.ts';

const days = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

it('Flow JSON writes dates as timestamps until 4.0', () => {
  expect(versions.filter(writesTimestamps)).toEqual(['2.1', '3.0', '3.1', '4.0']);
  expect(['', 'draft', '10.0'].map(writesTimestamps)).toEqual([false, false, false]);
});

it('a date in any version is read back as the day that was written', () => {
  fc.assert(
    fc.property(days, fc.constantFrom(...versions), (day, version) => {
      expect(parseDate(formatDate(day, version), version)).toBe(day);
    }),
  );
});

describe('a date', () => {
  it.each([
    ['2024-10-21', '5.0', '2024-10-21'],
    ['1729468800000', '4.0', '2024-10-21'],
    ['1729555199999', '4.0', '2024-10-21'],
    ['-1', '2.1', '1969-12-31'],
    ['1729468800000', '5.0', undefined],
    ['2024-10-21', '4.0', undefined],
    ['2024-02-30', '7.3', undefined],
    ['99999999999999999', '4.0', undefined],
    ['253402300800000', '4.0', undefined],
    ['', '4.0', undefined],
    ['', '7.3', undefined],
    [1729468800000, '4.0', undefined],
    [undefined, '7.3', undefined],
  ])('%j in %s is read as the day %s', (value, version, day) => {
    expect(parseDate(value, version)).toBe(day);
  });

  it('is written in the form of the version', () => {
    expect(formatDate('2024-10-21', '4.0')).toBe('1729468800000');
    expect(formatDate('2024-10-21', '7.3')).toBe('2024-10-21');
    expect(['', 'soon', '2024-02-30'].map((text) => formatDate(text, '4.0'))).toEqual(['', '', '']);
  });

  it('is not read if it is not in the calendar', () => {
    expect(['2024-02-29', '2023-02-29', '2024-13-01', '0000-00-00'].map(isDay)).toEqual([true, false, false, false]);
  });
});

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
