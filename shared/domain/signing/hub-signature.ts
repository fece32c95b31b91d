import { createHmac, timingSafeEqual } from 'node:crypto';
import { hmacKeys } from './hmac-keys.ts';

/**
 * The header with the upstream's signature of a body. It is here because it belongs to the platform's protocol: events
 * carry it, and so does what a preview sends to an endpoint in place of the platform.
 */
export const hubSignatureHeader = 'x-hub-signature-256';

export interface HubSignedRequest {
  /** The value of `hubSignatureHeader`. */
  readonly header: string | undefined;
  /** The body's bytes as received: the same JSON in another notation has another signature. */
  readonly body: Uint8Array;
  /** The secrets that may have signed: the platform's app secret and those of workspaces with their own app. */
  readonly appSecrets: readonly string[];
}

/** Whether the upstream signed the request (Meta's page "Webhooks: Validating payloads"). */
export function isHubSigned({ header, body, appSecrets }: HubSignedRequest): boolean {
  const hex = header?.match(/^sha256=([0-9a-f]{64})$/i)?.[1];
  if (hex === undefined) return false;
  const signature = Buffer.from(hex, 'hex');
  return (
    appSecrets
      // With an empty secret that was never filled in, anybody could sign.
      .filter((secret) => secret !== '')
      .map((secret) => timingSafeEqual(signature, createHmac('sha256', keyOf(secret)).update(body).digest()))
      .includes(true)
  );
}

/** Signs a body as the upstream does: the value of `hubSignatureHeader`. */
export function hubSignature(body: Uint8Array | string, appSecret: string): string {
  return `sha256=${createHmac('sha256', keyOf(appSecret)).update(body).digest('hex')}`;
}

const keyOf = hmacKeys((secret) => Buffer.from(secret));
