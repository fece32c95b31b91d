/** Why a request got no response. The classes reveal nothing about this network to customers. */
export type ErrorClass =
  | 'invalid-url'
  | 'own-address'
  | 'forbidden-address'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'connect-timeout'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'closed-early'
  | 'headers-too-large'
  | 'invalid-response';

export interface PostRequest {
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer | string;
  /** Milliseconds for everything, from name resolution to the last byte of the response. */
  timeoutMs: number;
}

export interface PostResponse {
  status: number;
  /** The headers that affect what the service does next. */
  headers: Partial<Record<'content-type' | 'retry-after', string>>;
  /** The beginning of the body, byte for byte as received. */
  body: Buffer;
  /** Whether the response had more bytes than `body` holds. */
  truncated: boolean;
}

/** The outcome of one POST. Durations are milliseconds with fractions. */
export type Attempt =
  | ({ outcome: 'answered'; durationMs: number } & PostResponse)
  | { outcome: 'failed'; durationMs: number; error: ErrorClass };

/** Headers of everything that this service posts to customers. Receivers rely on them, as they do on the signature. */
export const jsonPostHeaders = { 'content-type': 'application/json', 'user-agent': 'messaging-service' } as const;

/** Sends requests to customers' URLs. */
export interface Sender {
  /** Never throws because of something that the other side does. */
  post(request: PostRequest): Promise<Attempt>;
  /** Ends all connections. */
  close(): void;
}
