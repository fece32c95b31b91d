import { isUtf8 } from 'node:buffer';
import type { RelayOutcome } from '#shared/domain/flow-endpoint/relay.ts';
import type { ServeFault } from '#shared/domain/flow-endpoint/serve-request.ts';

/** Builds the response to the upstream. A phone shows the same error for every status except 200, 421, 427 and 504. */
export function endpointResponse(outcome: RelayOutcome<ServeFault>) {
  if (!outcome.relayed) return failure(outcome.fault);
  const { status, body, contentType } = outcome;
  return {
    status,
    body: isUtf8(body) ? body.toString('utf8') : body,
    ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
  };
}

function failure(fault: ServeFault) {
  switch (fault) {
    case 'undecryptable':
      return { status: 421, body: '' } as const;
    case 'not-signed':
      return { status: 432, body: '' } as const;
    case 'timeout':
    case 'connect-timeout':
    case 'out-of-time':
      return { status: 504 } as const;
    default:
      return { status: 502 } as const;
  }
}
