import { randomInt } from 'node:crypto';
import type { Callback } from './management.ts';

/** What an address for events responded with to the platform's handshake. */
export interface Handshake {
  status: number;
  /** Whether it gave back the challenge. */
  isComplete: boolean;
}

const timeoutMs = 10_000;

/**
 * Asks as the platform does before it accepts an address for events (Meta, "Webhooks: getting started"), but from here.
 * Throws if there is no response.
 */
export async function shakeHands({ url, verifyToken }: Callback): Promise<Handshake> {
  const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
  const response = await fetch(`${url}?${new URLSearchParams(query)}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new Error(`${url} does not respond from here (${reasonOf(error)})`);
  });
  const text = await response.text();
  return { status: response.status, isComplete: response.status === 200 && text === challenge };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
