import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { lostMembers } from './lost-members.ts';

const schema = z.looseObject({
  headers: z.optional(z.record(z.string(), z.string())),
  list: z.optional(z.array(z.object({ a: z.optional(z.string()) }))),
  whole: z.optional(z.custom<object>()),
});

const lost = (text: string) => {
  const input: unknown = JSON.parse(text);
  return lostMembers(input, z.parse(schema, input));
};

describe('members called __proto__', () => {
  it.each([
    ['{"__proto__":1}', [['__proto__']]],
    ['{"headers":{"__proto__":"x","a":"b"}}', [['headers', '__proto__']]],
    ['{"list":[{"a":"b"},{"__proto__":{}}],"__proto__":1}', [['list', '1', '__proto__'], ['__proto__']]],
  ])('are found where the schema drops them: %s', (text, expected) => {
    expect(lost(text)).toEqual(expected);
  });

  it.each(['{}', '{"headers":{"a":"b"},"list":[],"other":{"__proto__":1}}', '{"whole":{"__proto__":{"a":1}}}'])(
    'are fine where the schema keeps the value as it is: %s',
    (text) => {
      expect(lost(text)).toEqual([]);
    },
  );
});
