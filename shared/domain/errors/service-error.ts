import type { ErrorValues, FieldError } from './field-error.ts';

/**
 * Why a request cannot be carried out, for a reason that the client caused or can act on. `shared/http/errors` knows
 * the status and the text of each code.
 */
export type ErrorCode =
  | 'unauthenticated'
  /** The service sent the request itself. */
  | 'loop'
  | 'invalid-fields'
  | BodyErrorCode
  | EventErrorCode
  | 'workspace.not-found'
  | 'workspace.not-member'
  | 'workspace.not-owner'
  | 'number.not-found'
  | 'number.calling-disabled'
  | FlowErrorCode
  | FlowEndpointErrorCode
  | 'preview.not-found'
  | 'preview.no-such-file'
  | 'delivery.not-found'
  | 'target.no-url'
  | 'target.circuit-open'
  | 'signing-secret.changed-meanwhile'
  | 'signing-secret.too-many-rotations'
  | 'call.no-business-account'
  | MediaErrorCode;

type BodyErrorCode = 'body.not-json' | 'body.malformed' | 'body.not-utf-8' | 'body.too-deep' | 'body.not-an-object';

type EventErrorCode = 'events.not-signed' | 'events.wrong-verify-token';

type FlowErrorCode =
  | 'flow.not-found'
  | 'flow.busy'
  | 'flow.not-a-draft'
  | 'flow.no-business-account'
  | 'flow.too-large';

type FlowEndpointErrorCode =
  | 'flow-endpoint.none'
  | 'flow-endpoint.deprecated'
  | 'flow-endpoint.blocked'
  | 'flow-endpoint.unknown-number'
  | 'flow-endpoint.foreign-key';

type MediaErrorCode =
  /** No such id, or not of this number. */
  | 'media.unknown'
  /** The upstream no longer has it. */
  | 'media.expired'
  /** It ended early. */
  | 'media.incomplete'
  /** It is not what the upstream announced. */
  | 'media.altered'
  | 'media.too-large'
  | 'media.not-ready'
  | 'media.failed-just-now';

interface Details {
  values?: ErrorValues;
  fields?: readonly FieldError[];
  retryAfterSeconds?: number;
}

/** An error that the client caused or can act on. Anything else that is thrown is a fault of ours. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly values: ErrorValues;
  /** The invalid fields of `invalid-fields`. */
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
