import type { IncomingHttpHeaders } from 'node:http';
import { type SigningSecrets, signatureHeaders, validSecrets } from '#shared/webhooks/webhook-signature.ts';

/** Whether the signature of a webhook is right, and what is wrong with it otherwise. */
export type SignatureState =
  | 'right'
  | 'missing'
  | 'unknown-subscriber'
  /** It is right, but its time is so far from now that it may be a repeated webhook of somebody else. */
  | 'old'
  /** Made with a secret that was rotated away. */
  | 'former-secret'
  /** It fits the body that the service keeps, and not the one that arrived. */
  | 'changed-body'
  | 'wrong';

/** Standard Webhooks leave the tolerance open. Its libraries allow five minutes. */
const toleranceMs = 5 * 60_000;

/** A webhook as it arrived, and what its signature must fit. */
export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Undefined if the subscriber does not exist. */
  readonly secrets: SigningSecrets | undefined;
  /** The body in the delivery log, if the log has the delivery. */
  readonly loggedBody: () => Promise<string | null | undefined>;
  readonly now: number;
}

export async function signatureStateOf(webhook: SignedWebhook): Promise<SignatureState> {
  const { headers, body, secrets, loggedBody, now } = webhook;
  if (headers['webhook-signature'] === undefined) return 'missing';
  if (secrets === undefined) return 'unknown-subscriber';
  const valid = validSecrets(secrets, now);
  if (isSigned(headers, body, valid)) {
    return Math.abs(now - Number(headers['webhook-timestamp']) * 1000) > toleranceMs ? 'old' : 'right';
  }
  const former = (secrets.replaced ?? []).map(({ secret }) => secret).filter((secret) => !valid.includes(secret));
  if (isSigned(headers, body, former)) return 'former-secret';
  const logged = await loggedBody();
  return typeof logged === 'string' && isSigned(headers, logged, valid) ? 'changed-body' : 'wrong';
}

/**
 * Whether a body was signed with one of these secrets. A rotated secret signs beside the former ones for a day, so one
 * of several signatures must be right.
 */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer | string, secrets: readonly string[]): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (secrets.length === 0) return false;
  const expected = signatureHeaders({ id: String(id), timestamp: Number(timestamp), body, secrets });
  const right = expected['webhook-signature'].split(' ');
  return String(signatures)
    .split(' ')
    .some((one) => right.includes(one));
}
