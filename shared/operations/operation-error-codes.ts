import type { ErrorCode } from '#shared/base/service-error.ts';
import type { UpstreamFailure } from '#shared/base/upstream-error.ts';
import { internalCode, type PublicCode, publicCode, upstreamCodes } from '#shared/http/error-entry.ts';
import { type Contract, needsToken } from './contract.ts';
import { errorCatalogue } from './error-catalogue.ts';
import { statusByFailure } from './error-response.ts';

/** Returns the codes that the responses of an operation can have in `x-error-code`, by status. */
export function errorCodesByStatus(contract: Contract): ReadonlyMap<number, readonly PublicCode[]> {
  const codes = new Map<number, Set<PublicCode>>();
  const add = (status: number, code: PublicCode) => codes.set(status, (codes.get(status) ?? new Set()).add(code));
  for (const code of codesOfService(contract)) add(errorCatalogue.errors[code].status, publicCode(code));
  for (const [status, code] of codesOfUpstream(contract)) add(status, code);
  add(500, internalCode);
  return new Map([...codes].map(([status, ofStatus]) => [status, [...ofStatus].sort()]));
}

/** The errors that the wrapper throws for such a contract, and those of the operation itself. */
function codesOfService(contract: Contract): ErrorCode[] {
  const { caller, path, query, body, takesFile, idempotency, throws = [] } = contract;
  const checksInput = needsToken(contract) || query !== undefined || body !== undefined;
  return [
    'loop-detected',
    ...codesOfCaller[caller],
    ...when(path.includes('{flow}') && caller !== 'upstream', 'flow.not-found'),
    ...when(path.includes('{target}'), 'target.not-found'),
    ...when(checksInput, 'validation-failed'),
    ...when(body !== undefined, 'body.not-json', 'body.malformed', 'body.not-utf-8', 'body.too-deep'),
    ...when(body !== undefined, 'body.not-an-object'),
    ...when(body !== undefined || takesFile === true, 'body.encoded'),
    ...when(takesFile === true, 'body.malformed-form', 'body.malformed-part'),
    ...when(idempotency !== undefined, 'idempotency-key.in-progress'),
    ...when(idempotency === 'never-again', 'idempotency-key.outcome-unknown'),
    ...throws,
  ];
}

const when = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : []);

const codesOfCaller: Readonly<Record<Contract['caller'], readonly ErrorCode[]>> = {
  public: [],
  upstream: [],
  user: ['unauthenticated'],
  'workspace-member': ['unauthenticated', 'workspace.not-found', 'workspace.not-member'],
  'workspace-owner': ['unauthenticated', 'workspace.not-found', 'workspace.not-member', 'workspace.not-owner'],
  'number-user': ['unauthenticated', 'number.not-found'],
  'number-owner': ['unauthenticated', 'number.not-found', 'workspace.not-owner'],
  'number-caller': ['unauthenticated', 'number.not-found', 'workspace.calling-disabled', 'number.calling-disabled'],
};

/** A request about a message or a call says if its outcome is unknown. What became of a Flow can be looked up. */
function codesOfUpstream(contract: Contract): [number, PublicCode][] {
  const { uses, method, caller } = contract;
  if (uses.upstream !== 'call') return [];
  const hasEffect = method !== 'GET' && (caller === 'number-user' || caller === 'number-caller');
  const failures = (Object.entries(statusByFailure) as [UpstreamFailure, number][]).filter(
    ([failure]) => failure !== 'forbidden' || isOfCalls(contract),
  );
  return [
    ...failures.map(([failure, status]): [number, PublicCode] => [status, upstreamCodes[failure]]),
    ...(hasEffect ? [502, 504] : []).map((status): [number, PublicCode] => [status, upstreamCodes['outcome-unknown']]),
  ];
}

/** Whether the upstream may reject the operation because calling is off, or not available, for the number. */
export const isOfCalls = ({ path, uses }: Contract) => uses.upstream === 'call' && path.includes('/calls/');
