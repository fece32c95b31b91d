import { describe, expect, it } from 'vitest';
import { writeJson } from './json.ts';

describe('writeJson', () => {
  it('writes what can be written', () => {
    expect(writeJson({ a: [1, null] })).toBe('{"a":[1,null]}');
  });

  it('returns nothing for thousands of nested levels', () => {
    expect(writeJson(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toBeUndefined();
  });

  it('passes other errors on', () => {
    expect(() => writeJson({ a: 1n })).toThrow(TypeError);
  });
});
