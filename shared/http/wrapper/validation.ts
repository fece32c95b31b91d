import * as z from 'zod/mini';
import { type ErrorValues, type FieldError, type FieldRule, fieldRules } from '#shared/domain/errors/field-error.ts';
import { invalidFields } from '#shared/domain/errors/invalid-fields.ts';

type Issue = z.core.$ZodIssue;

type FurtherCheck = (value: Readonly<Record<string, unknown>>) => readonly FieldError[];

/**
 * Parses the value. If the schema or `check` rejects it, throws `validation-failed`, in the order of the schema's fields.
 */
export function parseFields<S extends z.ZodMiniType>(schema: S, value: unknown, check?: FurtherCheck): z.output<S> {
  const result = z.safeParse(schema, value, { reportInput: true });
  const further = check?.(value as Record<string, unknown>) ?? [];
  if (result.success && further.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  const faults = [...issues.flatMap(faultsOf), ...further];
  const fields = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
  const place = ({ field }: FieldError) => fields.indexOf(field.split('.')[0] ?? '');
  throw invalidFields(further.length === 0 ? faults : faults.toSorted((a, b) => place(a) - place(b)));
}

function faultsOf(issue: Issue): FieldError[] {
  if (issue.code === 'invalid_union') return faultsOfUnion(issue);
  return [{ field: fieldName(issue.path), ...describe(issue) }];
}

/** A value that has none of the possible forms is judged by the first form, unless it is an object like another one. */
function faultsOfUnion({ errors, path }: z.core.$ZodIssueInvalidUnion): FieldError[] {
  const isWithin = (issues: readonly Issue[]) => issues.some((issue) => issue.path.length > 0);
  const issues = errors.find(isWithin) ?? errors[0] ?? [];
  return issues.flatMap((issue) => faultsOf({ ...issue, path: [...path, ...issue.path] }));
}

/** Returns the field's name as a client would write it, with dots: `categories.1`, `connection.webrtc.sdp`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function describe(issue: Issue): { rule: FieldRule; values: ErrorValues } {
  if (issue.input === undefined) return { rule: 'required', values: {} };
  switch (issue.code) {
    case 'invalid_type':
      return { rule: typeRule(issue.expected), values: {} };
    case 'too_small':
      return { rule: sizeRule(issue.origin, 'min'), values: { min: Number(issue.minimum) } };
    case 'too_big':
      return { rule: sizeRule(issue.origin, 'max'), values: { max: Number(issue.maximum) } };
    case 'invalid_format':
      return { rule: issue.format === 'uuid' ? 'uuid' : 'format', values: {} };
    case 'custom': {
      const { rule, other = '', ...limits } = issue.params ?? {};
      return { rule: customRule(rule), values: { ...limits, other: String(other).replaceAll('_', ' ') } };
    }
    case 'invalid_value':
      return { rule: 'selected', values: { values: issue.values.map(String).join(', ') } };
    default:
      return { rule: 'format', values: {} };
  }
}

function typeRule(expected: string): FieldRule {
  if (expected === 'int' || expected === 'number') return 'integer';
  return isRule(expected) ? expected : 'format';
}

function sizeRule(origin: string, bound: 'min' | 'max'): FieldRule {
  const rule = `${bound}_${origin === 'string' || origin === 'array' ? origin : 'number'}`;
  return isRule(rule) ? rule : 'format';
}

function customRule(rule: unknown): FieldRule {
  return typeof rule === 'string' && isRule(rule) ? rule : 'format';
}

function isRule(rule: string): rule is FieldRule {
  return (fieldRules as readonly string[]).includes(rule);
}
