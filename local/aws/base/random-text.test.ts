import { describe, expect, it } from 'vitest';
import { randomText } from './random-text.ts';

describe('a random text', () => {
  it('never repeats an earlier one', () => {
    const texts = Array.from({ length: 1_000 }, () => randomText(12, 'hex'));
    expect(texts.every((text) => /^[0-9a-f]{24}$/.test(text))).toBe(true);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('is encoded as asked', () => {
    expect(randomText(11, 'base64url')).toMatch(/^[\w-]{15}$/);
  });
});
