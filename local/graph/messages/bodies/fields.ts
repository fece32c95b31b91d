import * as z from 'zod/mini';
import { GraphError, type GraphErrorName } from '../../core/graph-errors.ts';
import { type LimitName, limits, phraseOf, rangeOf } from './limits.ts';

/**
 * What fields of messages have to be, and what Graph says of one that is not. By what developers report, code 100 is
 * for fields that are missing or of the wrong type, and 131009 for values that break a rule.
 */

/** A text within a limit. Graph treats an empty one as missing. */
export function text(name: LimitName): z.ZodMiniType<string> {
  return required().check(z.refine((value) => fits(name, [...value].length), outside(name)));
}

/** A text without a known limit. */
export function required() {
  return z.string().check(z.minLength(1));
}

export function list<Item extends z.ZodMiniType>(item: Item, name: LimitName): z.ZodMiniType<z.infer<Item>[]> {
  return z.array(item).check(z.refine((items) => fits(name, items.length), outside(name)));
}

/** A whole number within a limit. */
export function count(name: LimitName) {
  return z.int().check(z.refine((value) => fits(name, value), outside(name)));
}

export const oneOf = (...values: [string, ...string[]]) => z.enum(values);

/** A member that must not be there. */
export const notAllowed = z.optional(z.never());

export const webAddress = z.string().check(
  z.minLength(1),
  z.refine((value) => /^https?:/i.test(value) && URL.canParse(value), 'has to be a URL'),
);

export function fits(name: LimitName, value: number): boolean {
  const { min, max } = rangeOf(name);
  return value >= min && value <= max;
}

/** The words for a value outside a limit. */
export function outside(name: LimitName): string {
  return 'unit' in limits[name] ? `has to have ${phraseOf(name)}` : `has to be ${phraseOf(name)}`;
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

/** The first item whose text another one before it has, too. */
export function repeated(texts: readonly (string | undefined)[]): number {
  return texts.findIndex((one, index) => one !== undefined && texts.indexOf(one) < index);
}

/** Throws what Graph says if the value does not have this form. */
export function assertFits(schema: z.ZodMiniType, value: unknown, name: string): void {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue !== undefined) throw errorOf(issue, value, name);
}

function errorOf(issue: z.core.$ZodIssue, value: unknown, name: string): GraphError {
  const param = graphPath([name, ...issue.path]);
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
  if (issue.expected === 'never') return 'is not allowed here';
  return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
}

/** A path as Graph writes it: `interactive['action']['buttons'][0]`. */
function graphPath([name, ...keys]: readonly PropertyKey[]): string {
  return `${String(name)}${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `['${String(key)}']`)).join('')}`;
}

function invalidParameter(text: string): GraphError {
  return new GraphError('invalid_parameter', text);
}
