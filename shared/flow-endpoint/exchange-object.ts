import { isUtf8 } from 'node:buffer';
import type * as z from 'zod/mini';
import { ownVia } from '#shared/base/mark.ts';
import { timestamp } from '#shared/base/time.ts';
import type { Language } from '#shared/http/language.ts';
import type { OpenedEnvelope } from './envelope.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { explainExchange, explainFinding } from './explain-exchange.ts';
import type { RelayOutcome } from './relay.ts';
import type { exchangeListSchema } from './schema.ts';
import type { ServeFault } from './serve-request.ts';

type ExchangeObject = z.infer<typeof exchangeListSchema>['data'][number];

/** Builds the API's exchange object. */
export function toExchangeObject(record: ExchangeRecord, language: Language): ExchangeObject {
  return {
    ...record,
    at: timestamp(record.at),
    explanation: explainExchange(record, language),
    findings: record.findings.map((finding) => ({ ...finding, explanation: explainFinding(finding, language) })),
  };
}

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

/**
 * The headers to forward with an encrypted envelope. They include the mark, so that two deployments cannot relay a
 * request in a loop. `header` reads the request's headers.
 */
export function forwardedHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const mark = header(ownVia);
  return {
    'content-type': header('content-type') ?? 'application/json',
    ...(mark !== undefined && { [ownVia]: mark }),
  };
}
