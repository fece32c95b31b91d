import type { ErrorValues, FieldError, FieldRule } from './field-error.ts';
import { ServiceError } from './service-error.ts';

/** An error about one field. */
export function invalidField(field: string, rule: FieldRule, values: ErrorValues = {}): ServiceError {
  return invalidFields([{ field, rule, values }]);
}

/** An error about several fields. */
export function invalidFields(fields: readonly FieldError[]): ServiceError {
  return new ServiceError('invalid-fields', { fields });
}
