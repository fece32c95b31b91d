import { brokenText, hostileTexts } from './hostile.ts';
import type { Random } from './random.ts';

const numbers = ['0', '-1', '1.5', '1e400', '-1e400', '9007199254740993', '1e-400', '99999999999999999999', '-0'];

/** Raw JSON that replaces any value: other types, bounds, depths. */
function strangeJson(random: Random): string {
  switch (random.below(8)) {
    case 0:
      return random.pick(numbers);
    case 1:
      return random.pick(['null', 'true', 'false', '[]', '{}', '""']);
    case 2:
      return deep(random.pick([300, 1_000, 20_000]), random.pick(['[', '{"a":']));
    case 3:
      return `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"length":-1}`;
    case 4:
      return `[${Array.from({ length: random.pick([2, 100, 5_000]) }, () => '1').join(',')}]`;
    case 5:
      return `{${Array.from({ length: random.pick([2, 1_000]) }, (_, index) => `"k${index}":null`).join(',')}}`;
    default:
      return JSON.stringify(random.pick(hostileTexts));
  }
}

function deep(depth: number, open: string): string {
  const close = open === '[' ? ']' : '}';
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Texts that are not JSON, or barely. */
const malformed = [
  '{',
  '[]]',
  '{"a":}',
  "{'a':1}",
  '{"a":1,}',
  'NaN',
  'nul',
  '1 2',
  '',
  ' ',
  '[1]',
  '"text"',
  '42',
  'null',
  '\ufeff{}',
  '{"a":1}\u0000',
  '{"\\ud800":1}',
  '/**/{}',
];

/** The JSON text of a value with one or more faults in it. */
export function mutatedJson(random: Random, value: unknown): string {
  if (random.chance(0.1)) return random.pick(malformed);
  let text = JSON.stringify(value);
  for (let count = 1 + random.below(2); count > 0; count -= 1) text = mutateOnce(random, text);
  return text;
}

/** A place in a JSON document: what stands there is replaced by raw JSON. */
const mark = '\u0001mark\u0001';

/** Longer texts were made deep or wide by a mutation before this one. */
const mutableLength = 20_000;

function mutateOnce(random: Random, text: string): string {
  if (text.length > mutableLength) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text; // An earlier mutation has broken it already.
  }
  const holders = containers(value);
  const holder = random.pick(holders);
  const names = Object.keys(holder);
  const name = names.length > 0 ? random.pick(names) : 'added';
  const replaced = (raw: string) => {
    holder[name] = mark;
    return JSON.stringify(value).replace(JSON.stringify(mark), () => raw);
  };
  switch (random.below(6)) {
    case 0:
      delete holder[name];
      return JSON.stringify(value);
    case 1:
      holder[random.pick(['__proto__x', 'constructor', 'id', 'created_at', ...hostileTexts.slice(0, 12)])] = 1;
      return JSON.stringify(value);
    case 2:
      return replaced(`${JSON.stringify(holder[name] ?? null)},${JSON.stringify(name)}:${strangeJson(random)}`);
    case 3:
      if (typeof holder[name] === 'string') return replaced(JSON.stringify(brokenText(random, holder[name])));
      return replaced(strangeJson(random));
    default:
      return replaced(strangeJson(random));
  }
}

type Container = Record<string, unknown>;

function containers(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return [{}];
  const nested = Object.values(value).filter((member) => typeof member === 'object' && member !== null);
  return [value as Container, ...nested.flatMap(containers)];
}
