import { describe, expect, it } from 'vitest';
import { decodedSize, imageDataUrl } from './values.ts';

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
