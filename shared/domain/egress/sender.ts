/** Why a request got no response. It tells customers nothing about this network. */
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
  /** Those that a sender acts on. */
  headers: Partial<Record<'content-type' | 'retry-after', string>>;
  /** The beginning of the body as it came over the wire. */
  body: Buffer;
  /** Whether there was more of it. */
  truncated: boolean;
}

/** What came of one POST. Milliseconds with fractions. */
export type Attempt =
  | ({ outcome: 'answered'; durationMs: number } & PostResponse)
  | { outcome: 'failed'; durationMs: number; error: ErrorClass };

/** The headers of everything that this service posts to customers. */
export const jsonPostHeaders = { 'content-type': 'application/json', 'user-agent': 'messaging-service' } as const;

/** Sends to the URLs that customers gave. */
export interface Sender {
  /** Never throws for what the other side does. */
  post(request: PostRequest): Promise<Attempt>;
  /** Ends all connections. */
  close(): void;
}
