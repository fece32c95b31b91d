import type { ErrorValues, FieldError, FieldRule } from './field-error.ts';

/**
 * Why the service rejects a request, for a reason that the client caused or can act on. `operations/error-catalogue.ts`
 * holds the status and the text of each code. Clients read the code in `x-error-code`, so it does not change.
 */
export type ErrorCode =
  | 'unauthenticated'
  /** The service sent the request itself. */
  | 'loop-detected'
  | 'validation-failed'
  | BodyErrorCode
  | 'idempotency-key.in-progress'
  | 'idempotency-key.outcome-unknown'
  | EventErrorCode
  | 'workspace.not-found'
  | 'workspace.not-member'
  | 'workspace.not-owner'
  | 'workspace.no-business-account'
  | 'number.not-found'
  | 'number.calling-disabled'
  | 'target.not-found'
  | 'target.invalid-name'
  | 'target.built-in'
  | 'target.too-many'
  | 'workspace.calling-disabled'
  | FlowErrorCode
  | FlowEndpointErrorCode
  | 'preview.not-found'
  | 'preview.no-such-file'
  | 'delivery.not-found'
  | 'target.no-url'
  | 'target.other-url'
  | 'target.circuit-open'
  | 'signing-secret.changed-meanwhile'
  | 'signing-secret.too-many-rotations'
  | MediaErrorCode;

type BodyErrorCode =
  | 'body.not-json'
  | 'body.encoded'
  | 'body.malformed'
  | 'body.malformed-form'
  | 'body.malformed-part'
  | 'body.not-utf-8'
  | 'body.too-deep'
  | 'body.not-an-object';

type EventErrorCode = 'events.not-signed' | 'events.wrong-verify-token';

type FlowErrorCode =
  | 'flow.not-found'
  | 'flow.busy'
  | 'flow.not-a-draft'
  | 'flow.not-published'
  | 'flow.not-sendable'
  | 'flow.not-sendable-as-draft'
  | 'flow.too-large';

type FlowEndpointErrorCode =
  | 'flow-endpoint.none'
  | 'flow-endpoint.deprecated'
  | 'flow-endpoint.blocked'
  | 'flow-endpoint.unknown-number'
  | 'flow-endpoint.foreign-key'
  /** The address of a file was altered, is of another Flow, or is too old. */
  | 'flow-file.not-found'
  | 'flow-file.unavailable'
  | 'flow-file.altered';

type MediaErrorCode =
  /** The id does not exist or belongs to another number. */
  | 'media.unknown'
  /** The upstream no longer has it. */
  | 'media.expired'
  /** The download ended early. */
  | 'media.incomplete'
  /** The file differs from what the upstream announced. */
  | 'media.altered'
  | 'media.too-large'
  | 'media.not-ready'
  | 'media.failed-just-now'
  | 'media.range-beyond-end'
  /** The upload does not exist, has expired, or belongs to another number. */
  | 'media-upload.not-found'
  /** The workspace has announced all the bytes that it may in this hour. */
  | 'media-upload.too-much'
  /** Nothing was put to its URL. */
  | 'media-upload.no-file'
  /** Another request is sending the file to the upstream. */
  | 'media-upload.in-progress'
  /** The upstream may have the file, but its id is unknown. */
  | 'media-upload.outcome-unknown';

interface Details {
  values?: ErrorValues;
  fields?: readonly FieldError[];
  retryAfterSeconds?: number;
}

/** An error that the client caused or can act on. Any other thrown error is a fault of the service. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly values: ErrorValues;
  /** The invalid fields when the code is `validation-failed`. */
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, { values = {}, fields = [], retryAfterSeconds }: Details = {}) {
    super(code);
    this.code = code;
    this.values = values;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function invalidField(field: string, rule: FieldRule, values: ErrorValues = {}): ServiceError {
  return invalidFields([{ field, rule, values }]);
}

/** The maximum number of errors in a response, which must stay small whatever the client sends. */
export const maxErrors = 50;

export function invalidFields(fields: readonly FieldError[]): ServiceError {
  return new ServiceError('validation-failed', { fields: fields.slice(0, maxErrors) });
}
