import { randomInt } from 'node:crypto';
import type { Callback } from './management.ts';

/** What an address for events responded with to the platform's handshake. */
export interface Handshake {
  /** Null without a response. */
  status: number | null;
  /** Whether it gave back the challenge. */
  isComplete: boolean;
  /** Why there was no response. */
  reason?: string;
}

const timeoutMs = 10_000;

/** Asks as the platform does before it accepts an address for events (Meta, "Webhooks: getting started"), but from here. */
export async function shakeHands({ url, verifyToken }: Callback): Promise<Handshake> {
  const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}?${new URLSearchParams(query)}`, { redirect: 'manual', signal });
    const text = await response.text();
    return { status: response.status, isComplete: response.status === 200 && text === challenge };
  } catch (error) {
    return { status: null, isComplete: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
