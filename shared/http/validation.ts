import * as z from 'zod/mini';
import {
  type ErrorValues,
  type FieldError,
  type FieldRule,
  fieldRules,
  repeatedName,
} from '#shared/base/field-error.ts';
import { isContainer, type JsonObject } from '#shared/base/json.ts';
import { invalidFields, maxErrors } from '#shared/base/service-error.ts';

type Issue = z.core.$ZodIssue;

/** What the members of a value are to the client. */
type Kind = 'member' | 'parameter';

interface Options {
  /** Checks what the schema cannot express. */
  check?: ((value: JsonObject) => readonly FieldError[]) | undefined;
  kind?: Kind;
}

/**
 * Parses the value. If the schema or `check` rejects it, throws `validation-failed`, in the order of the schema's fields.
 */
export function parseFields<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  { check = () => [], kind = 'member' }: Options = {},
): z.output<S> {
  const result = z.safeParse(schema, value, { reportInput: true, error: settableNames });
  const further = check(value as JsonObject);
  const faults = result.success
    ? lostMembers(value, result.data)
    : result.error.issues.flatMap((issue) => faultsOf(issue, kind));
  if (result.success && faults.length + further.length === 0) return result.data;
  const all = [...faults, ...further];
  const fields = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
  const place = ({ field }: FieldError) => fields.indexOf(field.split('.')[0] ?? '');
  throw invalidFields(further.length === 0 ? all : all.toSorted((a, b) => place(a) - place(b)));
}

/** The message about a member that does not exist: the names of those that a client may set. */
function settableNames({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodMiniObject)) return undefined;
  const members = Object.entries<z.core.$ZodType>(inst.shape);
  return members.flatMap(([name, member]) => (z.globalRegistry.get(member)?.readOnly ? [] : [name])).join(', ');
}

/**
 * Finds the members called `__proto__` that zod left out without an issue, as it does unless an object is strict. What
 * a schema takes as a whole, such as a Flow JSON, keeps them.
 */
function lostMembers(input: unknown, parsed: unknown, path: readonly string[] = []): FieldError[] {
  if (input === parsed || !isContainer(input)) return [];
  return Object.entries(input).flatMap(([name, member]) =>
    name === '__proto__'
      ? unknownMember([...path, name], 'member')
      : lostMembers(member, Object(parsed)[name], [...path, name]),
  );
}

function unknownMember(path: readonly PropertyKey[], kind: Kind, existing = ''): FieldError {
  const name = fieldName(path);
  return { field: name, rule: `unknown_${kind}${existing && '_among'}`, values: { name, existing } };
}

function faultsOf(issue: Issue, kind: Kind): FieldError[] {
  if (issue.code === 'invalid_union') return faultsOfUnion(issue, kind);
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), ...describe(issue) }];
  const keys = issue.keys.slice(0, maxErrors);
  return keys.map((key) => unknownMember([...issue.path, key], kind, issue.message));
}

/** A value that has none of the possible forms is judged by the first form, unless it is an object like another one. */
function faultsOfUnion({ errors, path }: z.core.$ZodIssueInvalidUnion, kind: Kind): FieldError[] {
  const isWithin = (issues: readonly Issue[]) => issues.some((issue) => issue.path.length > 0);
  const issues = errors.find(isWithin) ?? errors[0] ?? [];
  return issues.flatMap((issue) => faultsOf({ ...issue, path: [...path, ...issue.path] }, kind));
}

/** Returns the field's name as a client would write it, with dots: `categories.1`, `connection.webrtc.sdp`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map((name) => repeatedName(String(name))).join('.');
}

function describe(issue: Issue): { rule: FieldRule; values: ErrorValues } {
  if (issue.input === undefined) return { rule: 'required', values: {} };
  switch (issue.code) {
    case 'invalid_type':
      return { rule: typeRule(issue.expected), values: {} };
    case 'too_small':
      return { rule: sizeRule(issue.origin, 'min'), values: { min: Number(issue.minimum) } };
    case 'too_big':
      return { rule: ruleOr(issue.message, sizeRule(issue.origin, 'max')), values: { max: Number(issue.maximum) } };
    case 'invalid_format':
      return { rule: issue.format === 'uuid' ? 'uuid' : 'format', values: {} };
    case 'custom': {
      const { rule, other = '', ...limits } = issue.params ?? {};
      return { rule: ruleOr(rule), values: { ...limits, other: String(other).replaceAll('_', ' ') } };
    }
    case 'invalid_value':
      return { rule: 'selected', values: { values: issue.values.map(String).join(', ') } };
    default:
      return { rule: 'format', values: {} };
  }
}

function typeRule(expected: string): FieldRule {
  if (expected === 'int' || expected === 'number') return 'integer';
  if (expected === 'record') return 'object';
  return ruleOr(expected);
}

const sizeRule = (origin: string, bound: 'min' | 'max'): FieldRule =>
  `${bound}_${origin === 'string' || origin === 'array' ? origin : 'number'}`;

const ruleOr = (rule: unknown, otherwise: FieldRule = 'format'): FieldRule =>
  fieldRules.find((name) => name === rule) ?? otherwise;
