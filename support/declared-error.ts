import * as z from 'zod/mini';
import type { Contract } from '#shared/operations/contract.ts';
import type { PublicCode } from '#shared/operations/error-response.ts';
import { codesWithRetryAfter, errorCodesByStatus } from '#shared/operations/public-errors.ts';

/** Throws if the headers of an error response are not those that the description derives from the contract. */
export function checkDeclaredError(
  contract: Contract,
  status: number | undefined,
  header: (name: string) => unknown,
): void {
  // Pages for people and the protocol of Flow endpoints have responses of their own to errors, without a code.
  if (status === undefined || status < 400 || status in contract.responses) return;
  const code = header('x-error-code') as PublicCode;
  const declared = errorCodesByStatus(contract).get(status) ?? [];
  if (!declared.includes(code)) throw new Error(`${contract.name} does not declare ${code} with ${status}`);
  const saysWhen = Boolean(header('retry-after'));
  if (saysWhen !== codesWithRetryAfter.has(code)) {
    throw new Error(`${contract.name} ${saysWhen ? 'does not declare' : 'lacks'} the Retry-After of ${code}`);
  }
}

/** Throws if a body is not what the contract declares. After a change, the wrapper itself only logs that. */
export function checkDeclaredBody(contract: Contract, status: number | undefined, body: string | undefined): void {
  const { body: schema, mediaType } = contract.responses[Number(status)] ?? {};
  if (schema && mediaType === 'application/json' && body !== undefined) z.parse(schema, JSON.parse(body));
}
