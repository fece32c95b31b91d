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

/** A request that failed because of the other side. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, options?: ErrorOptions) {
    super(errorClass, options);
    this.errorClass = errorClass;
  }
}

const classOfCode: Readonly<Record<string, ErrorClass>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'connect-timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_INVALID_EOF_STATE: 'closed-early',
};

/** Classifies an error of a socket or of Node's HTTP parser. */
export function classify(error: unknown): ErrorClass {
  if (error instanceof EgressError) return error.errorClass;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // Node also reports this code when the other side closes the connection normally before the response is complete.
  if (code === 'ECONNRESET' && syscall === undefined) return 'closed-early';
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return classOfCode[code] ?? (code.startsWith('HPE_') ? 'invalid-response' : 'reset');
}

/** The request used an idle connection of the pool that the other side had already closed. */
export class StaleConnectionError extends EgressError {}
