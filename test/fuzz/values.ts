import type { OpenApi, Schema } from './document.ts';
import type { Pool } from './pool.ts';
import type { Random } from './random.ts';

/** Makes values that the schemas of the document allow; members with a known meaning get values of the world. */
export function createValues({ components }: OpenApi, pool: Pool) {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

  function makeValue(random: Random, reference: Schema, name = ''): unknown {
    const schema = resolve(reference);
    // Beside members, the options only say which of these belong together.
    const options = schema.properties ? undefined : (schema.anyOf ?? (schema.oneOf as Schema[] | undefined));
    if (options) return makeValue(random, random.pick(options), name);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return random.pick(schema.enum);
    const learned = pool.learned(name);
    if (learned.length > 0 && (schema.type === 'object' || schema.type === 'string') && random.chance(0.9))
      return random.pick(learned);
    switch (schema.type) {
      case 'null':
        return null;
      case 'boolean':
        return random.chance(0.5);
      case 'integer':
      case 'number':
        return integer(random, schema);
      case 'string':
        return text(random, schema);
      case 'array':
        return list(random, schema, name);
      default:
        return object(random, schema);
    }
  }

  function object(random: Random, { properties = {}, required = [] }: Schema): Record<string, unknown> {
    const members = Object.entries(properties).filter(
      ([name, { readOnly }]) => readOnly !== true && (required.includes(name) || random.chance(0.5)),
    );
    return Object.fromEntries(members.map(([name, member]) => [name, makeValue(random, member, name)]));
  }

  function list(random: Random, schema: Schema, name: string): unknown[] {
    const length = Number(schema.minItems ?? 0) + random.below(3);
    const items = Array.from({ length }, () => makeValue(random, schema.items ?? {}, name));
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  }

  return makeValue;
}

function integer(random: Random, { minimum = 0, maximum = 1_000 }: Schema): number {
  const [low, high] = [Number(minimum), Number(maximum)];
  return low + random.below(Math.min(high - low, 10_000) + 1);
}

function text(random: Random, { format, pattern, minLength = 1, maxLength = 60 }: Schema): string {
  if (format === 'uuid') return `00000000-0000-4000-8000-${String(random.below(1e6)).padStart(12, '0')}`;
  if (format === 'date-time') return new Date(Date.now() - random.below(20 * 86_400_000)).toISOString();
  if (format === 'uri') return 'https://example.com/fuzz';
  if (pattern !== undefined) return String(100_000 + random.below(900_000));
  const length = Number(minLength) + random.below(Math.min(Number(maxLength), 60));
  return (
    Array.from({ length }, () => random.pick([...'abcdefghij klmnopqrstuvwxyz-_.éñ中👋']))
      .join('')
      .trim() || 'x'
  );
}
