import type { ErrorValues, FieldError, FieldRule } from './field-error.ts';
import { ServiceError } from './service-error.ts';

export function invalidField(field: string, rule: FieldRule, values: ErrorValues = {}): ServiceError {
  return invalidFields([{ field, rule, values }]);
}

export function invalidFields(fields: readonly FieldError[]): ServiceError {
  return new ServiceError('validation-failed', { fields });
}
