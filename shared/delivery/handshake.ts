import { randomInt } from 'node:crypto';
import { addMark, type Mark } from '#shared/base/mark.ts';
import { invalidField } from '#shared/base/service-error.ts';
import { tlsSessions } from '#shared/egress/connect.ts';
import { EgressError } from '#shared/egress/egress-error.ts';
import { type GetResponse, get } from '#shared/egress/get.ts';
import { type AllowList, resolveName } from '#shared/egress/url-rules.ts';

/** The time limit of a handshake, from name resolution to the last byte. */
const handshakeMs = 3_000;

/** More than a challenge with what frameworks put around it. */
const maxBytes = 1_000;

/** Reads a little text at a customer's URL that was checked. It throws `EgressError`. */
export type Ask = (url: string) => Promise<GetResponse>;

export interface AskSettings {
  allowList: AllowList;
  mark: Mark;
  timeoutMs?: number;
}

export function openAsk({ allowList, mark, timeoutMs = handshakeMs }: AskSettings): Ask {
  const connecting = { allowList, resolve: resolveName, connectTimeoutMs: timeoutMs, sessions: tlsSessions() };
  const headers = addMark({ 'user-agent': 'messaging-service' }, mark);
  return (url) => get(url, { ...connecting, headers, maxBytes, timeoutMs });
}

/**
 * Asks a receiver whether it wants events, as Meta does, unless it has just passed: it must return the challenge. The
 * error is about the field with the URL and has only the kind of the fault, never a part of the response, so that this
 * service can't be used to read other sites.
 */
export async function requireHandshake(
  field: string,
  { url, token }: { url: string; token: string },
  ask: Ask,
  proven: Set<string>,
): Promise<void> {
  const what = JSON.stringify([url, token]);
  if (proven.has(what)) return;
  // Receivers read it as a number; this one also fits into 32 bits.
  const challenge = String(randomInt(1_000_000_000, 2_147_483_647));
  const { status, body, truncated } = await ask(handshakeUrl(url, token, challenge)).catch((error: unknown) => {
    throw error instanceof EgressError ? invalidField(field, 'handshake_failed', { error: error.errorClass }) : error;
  });
  if (status !== 200) throw invalidField(field, 'handshake_status', { status });
  if (truncated || body.toString('utf8').trim() !== challenge) throw invalidField(field, 'handshake_challenge');
  proven.add(what);
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
