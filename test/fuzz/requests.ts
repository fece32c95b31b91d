import { makeBody } from './bodies.ts';
import type { Operation } from './document.ts';
import { makeHeaders } from './headers.ts';
import type { Random } from './random.ts';
import type { Kind, Principal, Sources } from './sources.ts';
import { makeTarget } from './targets.ts';

export interface FuzzRequest {
  /** The operation that it was made for; its method and path can lead elsewhere. */
  readonly operation: Operation;
  readonly principal: Principal;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const kinds: readonly Kind[] = ['valid', 'valid', 'valid', 'mutated', 'mutated', 'hostile'];
const otherMethods = ['PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'PUT', 'POST', 'GET', 'PROPFIND'];

/** A request to an operation. Those with `fill` are valid and an owner's, to fill a fresh world. */
export function makeRequest(random: Random, operation: Operation, sources: Sources, fill: boolean): FuzzRequest {
  const kind = fill ? 'valid' : random.pick(kinds);
  const principal = fill ? 'owner' : makePrincipal(random, kind);
  const body = makeBody(random, operation, kind, sources);
  return {
    operation,
    principal,
    method: kind === 'mutated' && random.chance(0.06) ? random.pick(otherMethods) : operation.method,
    target: makeTarget(random, operation, kind, sources),
    headers: makeHeaders(random, operation, { kind, principal, body }, sources),
    body,
  };
}

function makePrincipal(random: Random, kind: Kind): Principal {
  if (random.chance(kind === 'valid' ? 0.85 : 0.6)) return 'owner';
  return random.pick(kind === 'valid' ? ['member', 'stranger'] : ['member', 'stranger', 'none', 'invalid']);
}
