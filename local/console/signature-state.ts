import { signatureHeaders } from '#shared/domain/signing/webhook-signature.ts';
import { type SigningSecrets, validSecrets } from '#shared/domain/subscribers/signing-secrets.ts';

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

export interface Judged {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Undefined if the subscriber does not exist. */
  readonly secrets: SigningSecrets | undefined;
  /** The body in the delivery log, if the log has the delivery. */
  readonly loggedBody: () => Promise<string | null | undefined>;
  readonly now: number;
}

export async function judge({ headers, body, secrets, loggedBody, now }: Judged): Promise<SignatureState> {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (signatures === undefined) return 'missing';
  if (secrets === undefined) return 'unknown-subscriber';
  // A rotated secret signs beside the former ones for a day, so one of several signatures must be right.
  const fits = (content: Buffer | string, keys: readonly string[]) => {
    if (keys.length === 0) return false;
    const signed = signatureHeaders({ id, timestamp: Number(timestamp), body: content, secrets: keys });
    const expected = signed['webhook-signature'].split(' ');
    return signatures.split(' ').some((one) => expected.includes(one));
  };
  const valid = validSecrets(secrets, now);
  if (fits(body, valid)) return Math.abs(now - Number(timestamp) * 1000) > toleranceMs ? 'old' : 'right';
  const former = (secrets.replaced ?? []).map(({ secret }) => secret).filter((secret) => !valid.includes(secret));
  if (fits(body, former)) return 'former-secret';
  const logged = await loggedBody();
  return typeof logged === 'string' && fits(logged, valid) ? 'changed-body' : 'wrong';
}
