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
  /** The headers that belong to this message, with names in lower case. The sender adds those of every POST. */
  headers: Readonly<Record<string, string>>;
  body: Buffer | string;
  /** Milliseconds for everything, from name resolution to the last byte of the response. */
  timeoutMs: number;
  /** Called when there is a connection, before the request is sent on it; again if the request needs another one. */
  onReady?: (() => void) | undefined;
}

export interface PostResponse {
  status: number;
  contentType?: string;
  /** How long the other side asks us to wait before the next request. */
  retryAfterSeconds?: number;
  /** The beginning of the body, byte for byte as received. */
  body: Buffer;
  /** Whether the response had more bytes than `body` holds. */
  truncated: boolean;
}

/** How long a POST took, in milliseconds with fractions. */
interface Durations {
  /** Everything, from name resolution to the last byte. */
  durationMs: number;
  /** The receiver's part, from the ready connection on. Absent if there was no connection. */
  receiverMs?: number;
}

/** The outcome of one POST. */
export type Attempt = Durations &
  (({ outcome: 'responded' } & PostResponse) | { outcome: 'failed'; error: ErrorClass });

/** Sends requests to customers' URLs. */
export interface Sender {
  /** Never throws because of something that the other side does. */
  post(request: PostRequest): Promise<Attempt>;
  /** Ends all connections. */
  close(): void;
}
