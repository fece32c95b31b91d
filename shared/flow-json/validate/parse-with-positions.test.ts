import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonNode, JsonSyntaxError, lineIndex, parseWithPositions } from './parse-with-positions.ts';

function toValue({ value }: JsonNode): unknown {
  if (value instanceof Map) {
    return Object.fromEntries(
      [...value].map(([name, { node }]: [string, { node: JsonNode }]) => [name, toValue(node)]),
    );
  }
  return Array.isArray(value) ? value.map(toValue) : value;
}

function offsetOfError(text: string): number | undefined {
  try {
    parseWithPositions(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

describe('parseWithPositions', () => {
  it('parseWithPositions accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        const pretty = JSON.stringify(JSON.parse(text), null, indent);
        expect(toValue(parseWithPositions(pretty))).toEqual(JSON.parse(pretty));
      }),
    );
  });

  it('parseWithPositions rejects what JSON.parse rejects', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '01', '\\'), (text, seed, damage) => {
        const at = seed % (text.length + 1);
        const damaged = text.slice(0, at) + damage + text.slice(at + 1);
        let valid = true;
        try {
          JSON.parse(damaged);
        } catch {
          valid = false;
        }
        expect(offsetOfError(damaged) === undefined).toBe(valid);
      }),
    );
  });

  it.each([
    ['', 0],
    ['{"a":}', 5],
    ['[1,]', 3],
    ['{"a":1', 6],
    ['{} x', 3],
    ['["\n"]', 1],
    ['["open', 1],
    ["{'a':1}", 1],
  ])('reports where %j is invalid', (text, offset) => {
    expect(offsetOfError(text)).toBe(offset);
  });

  it('returns the position of each value', () => {
    const text = '{ "a": [true, "x"] }';
    const root = parseWithPositions(text);
    const list = root.value instanceof Map ? root.value.get('a') : undefined;
    expect(text.slice(list.key.start, list.key.end)).toBe('"a"');
    expect(list.node.value.map(({ start, end }: JsonNode) => text.slice(start, end))).toEqual(['true', '"x"']);
  });

  it('rejects deep nesting before the stack overflows', () => {
    expect(offsetOfError('['.repeat(1_000_000))).toBe(513);
  });
});

describe('lineIndex', () => {
  it('counts lines and columns from 1', () => {
    const positionAt = lineIndex('ab\nc\n\nd');
    expect([0, 2, 3, 5, 6, 7].map(positionAt)).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 2 },
    ]);
  });
});
