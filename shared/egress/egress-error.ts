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

/** The request used an idle connection of the pool that the other side had already closed. */
export class StaleConnectionError extends EgressError {}
