import * as z from 'zod/mini';
import { GraphError, type GraphErrorName } from './graph-errors.ts';

/**
 * What fields have to be, and what Graph says of one that is not. By what developers report, code 100 is for fields that
 * are missing or of the wrong type, and 131009 for values that break a rule.
 */

/** A text that is not empty, of at most so many characters. Graph treats an empty one as missing. */
export function text(max = Number.POSITIVE_INFINITY): z.ZodMiniType<string> {
  return z.string().check(z.minLength(1), atMost(max));
}

/** A text that may be missing, so it may also be empty. */
export const optionalText = (max: number) => z.optional(z.string().check(atMost(max)));

const atMost = (max: number) =>
  z.refine<string>((value) => [...value].length <= max, `has to have at most ${grouped(max)} characters`);

export function list<Item extends z.ZodMiniType>(item: Item, min: number, max: number): z.ZodMiniType<z.infer<Item>[]> {
  const fits = (items: readonly unknown[]) => items.length >= min && items.length <= max;
  return z.array(item).check(z.refine(fits, `has to have ${min} to ${max} items`));
}

/** A whole number. */
export function count(min: number, max: number) {
  const fits = (value: number) => value >= min && value <= max;
  return z.int().check(z.refine(fits, `has to be ${grouped(min)} to ${grouped(max)}`));
}

export const oneOf = (...values: [string, ...string[]]) => z.enum(values);

export const webAddress = z.string().check(
  z.minLength(1),
  z.refine((value) => /^https?:/i.test(value) && URL.canParse(value), 'has to be a URL'),
);

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

interface Fault {
  readonly says: string;
  /** Which part of the value is at fault. */
  readonly path?: readonly (string | number)[];
  /** Instead of 131009. */
  readonly error?: GraphErrorName;
}

/** A rule about a whole value. The function returns what is wrong, if anything is. */
export function rule<Value>(find: (value: Value) => Fault | undefined) {
  return (context: z.core.ParsePayload<Value>): void => {
    const fault = find(context.value);
    if (fault === undefined) return;
    const { says, path = [], error } = fault;
    context.issues.push({
      code: 'custom',
      message: says,
      path: [...path],
      input: context.value,
      params: { error },
      continue: true,
    });
  };
}

/**
 * Reads a value. Throws what Graph says if it does not have this form.
 *
 * @param names the member that has the value, if it is not the whole request
 */
export function readAs<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, ...names: string[]) {
  const { data, error } = z.safeParse(schema, value);
  const issue = error?.issues[0];
  if (issue !== undefined) throw errorOf(issue, value, names);
  return data as z.output<Schema>;
}

function errorOf(issue: z.core.$ZodIssue, value: unknown, names: readonly string[]): GraphError {
  const param = graphPath([...names, ...issue.path]);
  const found = issue.path.reduce((object: unknown, key) => Object(object)[key], value);
  if (issue.code === 'custom') {
    return new GraphError(issue.params?.error ?? 'message_parameter_invalid', `Param ${param} ${issue.message}.`);
  }
  if (found === undefined || found === '') return invalidParameter(`The parameter ${param} is required.`);
  return invalidParameter(`Param ${param} ${wordsOf(issue, found)}.`);
}

function wordsOf(issue: z.core.$ZodIssue, found: unknown): string {
  if (issue.code === 'invalid_value') {
    return `must be one of {${issue.values.join(', ')}} - got ${JSON.stringify(found)}`;
  }
  if (issue.code !== 'invalid_type') return 'is not valid';
  return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
}

/** A path as Graph writes it: `interactive['action']['buttons'][0]`. */
function graphPath([name, ...keys]: readonly PropertyKey[]): string {
  return `${String(name)}${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `['${String(key)}']`)).join('')}`;
}

function invalidParameter(words: string): GraphError {
  return new GraphError('invalid_parameter', words);
}
