import { sealRequest } from '#shared/flow-endpoint/envelope.ts';
import { upstreamWaitsMs } from '#shared/flow-endpoint/exchange-deadlines.ts';
import { hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';

/**
 * Sends the health check of the platform (Meta, "Implementing endpoints for Flows") as the platform would, encrypted for
 * this key and signed with this app secret.
 */
export async function ping(as: { url: string; publicKey: string; secret: string; version: string }) {
  const { body, open } = sealRequest(JSON.stringify({ version: as.version, action: 'ping' }), as.publicKey);
  const headers = {
    'content-type': 'application/json',
    [hubSignatureHeader]: hubSignature(Buffer.from(body), as.secret),
  };
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const signal = AbortSignal.timeout(upstreamWaitsMs);
    const response = await fetch(as.url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await response.text();
    return { status: response.status, isActive: response.status === 200 && saysActive(text, open), durationMs: took() };
  } catch {
    return { status: null, isActive: false, durationMs: took() };
  }
}

function saysActive(text: string, open: (text: string) => Buffer): boolean {
  try {
    return JSON.parse(open(text).toString())?.data?.status === 'active';
  } catch {
    return false;
  }
}
