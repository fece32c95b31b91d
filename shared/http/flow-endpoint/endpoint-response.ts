import { isUtf8 } from 'node:buffer';
import type { OpenedEnvelope } from '#shared/domain/flow-endpoint/envelope.ts';
import type { RelayOutcome } from '#shared/domain/flow-endpoint/relay.ts';
import type { ServeFault } from '#shared/domain/flow-endpoint/serve-request.ts';

/** Builds the response to the upstream. A phone shows the same error for every status except 200, 421, 427 and 504. */
export function endpointResponse(outcome: RelayOutcome<ServeFault>) {
  if (!outcome.relayed) {
    const { fault, seal } = outcome;
    return fault === 'invalid-flow-token' ? endedToken(seal) : failure(fault);
  }
  const { status, body, contentType } = outcome;
  return {
    status,
    body: isUtf8(body) ? body.toString('utf8') : body,
    ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
  };
}

/**
 * What the contact reads when a flow token is not accepted. Nothing in the request says which language they speak.
 */
const endedTokenText =
  'This form is no longer available. / Este formulário não está mais disponível. / Este formulario ya no está disponible.';

function endedToken(seal: OpenedEnvelope['seal'] | undefined) {
  const body = seal?.(Buffer.from(JSON.stringify({ error_msg: endedTokenText }))) ?? '';
  return { status: 427, body } as const;
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
