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

/** A request that failed because of the other side. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, options?: ErrorOptions) {
    super(errorClass, options);
    this.errorClass = errorClass;
  }
}

/** Classifies an error of a socket or of Node's HTTP parser. */
export function classify(error: unknown): ErrorClass {
  if (error instanceof EgressError) return error.errorClass;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
      return 'refused';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return 'unreachable';
    case 'ETIMEDOUT':
      return 'connect-timeout';
    case 'HPE_HEADER_OVERFLOW':
      return 'headers-too-large';
    case 'HPE_INVALID_EOF_STATE':
      return 'closed-early';
    case 'ECONNRESET':
      // Node also reports this code when the other side closes the connection normally before the response is complete.
      return syscall === undefined ? 'closed-early' : 'reset';
  }
  if (code.startsWith('HPE_')) return 'invalid-response';
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return 'reset';
}

/**
 * A signal that aborts after `ms` milliseconds unless it is cancelled. `AbortSignal.timeout` cannot be cancelled, so
 * after each attempt that succeeds it would keep its timer and then create an error for nobody.
 */
export function deadline(ms: number): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new EgressError('timeout')), ms);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}
