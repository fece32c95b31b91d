import { randomInt } from 'node:crypto';
import type { FieldError } from '#shared/base/field-error.ts';
import { addMark, type Mark } from '#shared/base/mark.ts';
import { tlsSessions } from '#shared/egress/connect.ts';
import { EgressError, type ErrorClass } from '#shared/egress/egress-error.ts';
import { type GetResponse, get } from '#shared/egress/get.ts';
import { type AllowList, type Resolve, resolveName } from '#shared/egress/url-rules.ts';

/** The time limit of a handshake, from name resolution to the last byte. */
const handshakeMs = 3_000;

/** More than a challenge with what frameworks put around it. */
const maxBytes = 1_000;

/** Reads a little text at a customer's URL that was checked. It throws `EgressError`. */
export type Ask = (url: string) => Promise<GetResponse>;

export interface AskSettings {
  allowList: AllowList;
  mark: Mark;
  resolve?: Resolve;
  timeoutMs?: number;
}

export function openAsk({ allowList, mark, resolve = resolveName, timeoutMs = handshakeMs }: AskSettings): Ask {
  const connecting = { allowList, resolve, connectTimeoutMs: timeoutMs, sessions: tlsSessions() };
  const headers = addMark({ 'user-agent': 'messaging-service' }, mark);
  return (url) => get(url, { ...connecting, headers, maxBytes, timeoutMs });
}

/** Why a receiver did not pass: another status than 200, another text than the challenge, or no response. */
export type HandshakeFault =
  | { reason: 'status'; status: number }
  | { reason: 'challenge' }
  | { reason: 'failed'; error: ErrorClass };

/**
 * Asks a receiver whether it wants events, as Meta does: it must return the challenge. Returns only the kind of a fault,
 * never a part of the response, so that this service can't be used to read other sites.
 */
export async function handshake(url: string, verifyToken: string, ask: Ask): Promise<HandshakeFault | undefined> {
  // Receivers read it as a number; this one also fits into 32 bits.
  const challenge = String(randomInt(1_000_000_000, 2_147_483_647));
  try {
    const { status, body, truncated } = await ask(handshakeUrl(url, verifyToken, challenge));
    if (status !== 200) return { reason: 'status', status };
    return !truncated && body.toString('utf8').trim() === challenge ? undefined : { reason: 'challenge' };
  } catch (error) {
    if (error instanceof EgressError) return { reason: 'failed', error: error.errorClass };
    throw error;
  }
}

/** What a fault says about the field with the URL. */
export function handshakeFieldError(field: string, { reason, ...values }: HandshakeFault): FieldError {
  return { field, rule: `handshake_${reason}`, values };
}

/** The query of the URL stays as it is. */
function handshakeUrl(text: string, verifyToken: string, challenge: string): string {
  const url = new URL(text);
  const asked = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.challenge': challenge,
    'hub.verify_token': verifyToken,
  });
  url.search = `${url.search}${url.search === '' ? '?' : '&'}${asked}`;
  return url.href;
}
