import type { Text, TextValues } from '#shared/http/language/language.ts';

/** Why a request cannot be done, in the service's own terms; `shared/http` alone turns a kind into a status. */
export type ServiceErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'malformed'
  | 'refused'
  | 'busy'
  | 'unsupported-media-type'
  | 'too-large'
  | 'too-many'
  | 'invalid'
  /** Not yet to be had, but soon. */
  | 'not-ready'
  /** What the upstream delivered cannot be passed on. */
  | 'upstream-fault'
  /** The service sent the request itself. */
  | 'loop';

/** Texts for each invalid field, named as the client wrote it (`categories.1`, `connection.webrtc.sdp`). */
export type FieldTexts = Readonly<Record<string, readonly { text: Text; values: TextValues }[]>>;

interface Details {
  values?: TextValues;
  fields?: FieldTexts;
  retryAfterSeconds?: number;
}

/** An answer that the client caused or can act on. Anything else that is thrown is a fault of ours. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly text: Text;
  readonly values: TextValues;
  readonly fields: FieldTexts | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ServiceErrorKind, text: Text, details: Details = {}) {
    super(text.en);
    this.kind = kind;
    this.text = text;
    this.values = details.values ?? {};
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
