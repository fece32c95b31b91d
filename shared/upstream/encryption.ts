import * as z from 'zod/mini';
import { acknowledged, parseAnswer } from './graph-answer.ts';
import type { GraphClient } from './graph-client.ts';
import { UpstreamError } from './graph-error.ts';

const registered = z.object({
  business_public_key: z.optional(z.string()),
  business_public_key_signature_status: z.optional(z.string()),
});
/** Both forms are documented. */
const registration = z.union([z.object({ data: z.array(registered) }), registered]);

/** What the upstream has for a phone number. */
export interface RegisteredKey {
  /** PEM. */
  publicKey: string;
  /** `VALID` or `MISMATCH`; `undefined` when it is not told. */
  signatureStatus: string | undefined;
}

export type UpstreamEncryption = ReturnType<typeof upstreamEncryption>;

/** The public keys of phone numbers (Meta, "WhatsApp Business Encryption"). Calls throw `UpstreamError` when they fail. */
export function upstreamEncryption(call: GraphClient) {
  const path = (phoneNumberId: string) => `${encodeURIComponent(phoneNumberId)}/whatsapp_business_encryption`;

  return {
    /** `undefined` when no key is registered for the number, which some versions answer with a refusal. */
    async registeredKey(phoneNumberId: string): Promise<RegisteredKey | undefined> {
      try {
        const answer = parseAnswer(registration, await call({ method: 'GET', path: path(phoneNumberId) }));
        const first = 'data' in answer ? answer.data[0] : answer;
        if (!first?.business_public_key) return undefined;
        return {
          publicKey: first.business_public_key,
          signatureStatus: first.business_public_key_signature_status,
        };
      } catch (error) {
        if (error instanceof UpstreamError && error.failure === 'refused') return undefined;
        throw error;
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
