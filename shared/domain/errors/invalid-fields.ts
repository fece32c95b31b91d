import type { ErrorValues, FieldError, FieldRule } from './field-error.ts';
import { ServiceError } from './service-error.ts';

export function invalidField(field: string, rule: FieldRule, values: ErrorValues = {}): ServiceError {
  return invalidFields([{ field, rule, values }]);
}

/** The maximum number of errors in a response, which must stay small whatever the client sends. */
export const maxErrors = 50;

export function invalidFields(fields: readonly FieldError[]): ServiceError {
  return new ServiceError('validation-failed', { fields: fields.slice(0, maxErrors) });
}
