import * as z from 'zod/mini';
import { type FieldTexts, ServiceError } from '#shared/domain/errors/service-error.ts';
import type { Text, TextValues } from './language/language.ts';
import { validationTexts } from './texts.ts';

type Issue = z.core.$ZodIssue;
type Rule = keyof typeof validationTexts;

/** The parsed value, or `invalid` with a text for each field that is at fault. */
export function parseFields<S extends z.ZodMiniObject>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.map((issue) => ({ field: fieldName(issue.path), ...describe(issue) })));
}

/** An `invalid` error for one field that only the handler could judge. */
export function invalidField(field: string, rule: Rule, values: TextValues = {}): ServiceError {
  return invalidFields([{ field, rule, values }]);
}

/** The same for several fields. */
export function invalidFields(faults: readonly { field: string; rule: Rule; values: TextValues }[]): ServiceError {
  const fields: Record<string, { text: Text; values: TextValues }[]> = Object.create(null);
  for (const { field, rule, values } of faults) {
    fields[field] = [
      ...(fields[field] ?? []),
      { text: validationTexts[rule], values: { field: spoken(field), ...values } },
    ];
  }
  return new ServiceError('invalid', validationTexts.invalid, { fields: fields satisfies FieldTexts });
}

/** A field's name in a sentence. */
function spoken(field: string): string {
  return field.replaceAll('_', ' ');
}

/** Dotted, as the client would write it: `categories.1`, `connection.webrtc.sdp`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function describe(issue: Issue): { rule: Rule; values: TextValues } {
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
    case 'custom':
      return { rule: customRule(issue.params?.rule), values: { other: spoken(String(issue.params?.other ?? '')) } };
    case 'invalid_value':
      return { rule: 'selected', values: { values: issue.values.map(String).join(', ') } };
    default:
      return { rule: 'format', values: {} };
  }
}

function typeRule(expected: string): Rule {
  if (expected === 'int' || expected === 'number') return 'integer';
  return isRule(expected) ? expected : 'format';
}

function sizeRule(origin: string, bound: 'min' | 'max'): Rule {
  const rule = `${bound}_${origin === 'string' || origin === 'array' ? origin : 'number'}`;
  return isRule(rule) ? rule : 'format';
}

function customRule(rule: unknown): Rule {
  return typeof rule === 'string' && isRule(rule) ? rule : 'format';
}

function isRule(rule: string): rule is Rule {
  return Object.hasOwn(validationTexts, rule);
}
