import * as z from 'zod/mini';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { acknowledged, type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

export interface RegisteredKey {
  /** PEM. */
  publicKey: string;
  /** `VALID` or `MISMATCH`; `undefined` when the upstream does not report it. */
  signatureStatus: string | undefined;
}

const registered = z.object({
  business_public_key: z.optional(z.string()),
  business_public_key_signature_status: z.optional(z.string()),
});
/** Meta documents both forms. */
const registration = z.union([z.object({ data: z.array(registered) }), registered]);

/** Graph returns this error for an id that does not exist or that the access token may not see. */
function isUnknownObject({ code, subcode }: UpstreamError): boolean {
  return code === 100 && subcode === 33;
}

export type UpstreamEncryption = ReturnType<typeof upstreamEncryption>;

/**
 * The public keys of phone numbers (Meta, "WhatsApp Business Encryption"). Every method throws `UpstreamError` on
 * failure.
 */
export function upstreamEncryption(call: GraphClient) {
  const path = (phoneNumberId: string) => `${encodeURIComponent(phoneNumberId)}/whatsapp_business_encryption`;

  return {
    /** Some versions of the upstream reject the request for a number without a key. */
    async registeredKey(phoneNumberId: string): Promise<RegisteredKey | 'none' | 'unknown-number'> {
      try {
        const response = parseResponse(registration, await call({ method: 'GET', path: path(phoneNumberId) }));
        const first = 'data' in response ? response.data[0] : response;
        if (!first?.business_public_key) return 'none';
        return {
          publicKey: first.business_public_key,
          signatureStatus: first.business_public_key_signature_status,
        };
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.failure !== 'rejected') throw error;
        return isUnknownObject(error) ? 'unknown-number' : 'none';
      }
    },

    /** Registers a public key (SPKI, PEM) in place of the one that the number has. */
    async register(phoneNumberId: string, publicKey: string): Promise<void> {
      const form = new FormData();
      form.append('business_public_key', publicKey);
      acknowledged(await call({ method: 'POST', path: path(phoneNumberId), form }));
    },
  };
}
