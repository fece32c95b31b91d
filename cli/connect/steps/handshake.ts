import { randomInt } from 'node:crypto';
import type { Callback } from '../../platform/management.ts';
import { type Outcome, StepFailure } from '../steps.ts';

const timeoutMs = 10_000;

/** Makes the platform's handshake with our own address, from here. */
export async function checkHandshake({ url, verifyToken }: Callback): Promise<Outcome> {
  const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
  const response = await fetch(`${url}?${new URLSearchParams(query)}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new StepFailure(
      `${url} does not respond (${reasonOf(error)}). Check the address, and that the service runs.`,
    );
  });
  const text = await response.text();
  if (response.status === 200 && text === challenge) {
    return { state: 'already', text: `${url} knows the verify token.` };
  }
  if (response.status === 403) {
    throw new StepFailure(
      `${url} does not know this verify token. Another deployment may run there, or it still has an older secret: ` +
        'try again in five minutes.',
    );
  }
  throw new StepFailure(
    `${url} responds with ${response.status}, not with the challenge: something else runs there, or stands before it.`,
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
