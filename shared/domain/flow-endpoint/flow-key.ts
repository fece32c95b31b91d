import { createHash, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** A key pair of a workspace, with whose public half phones encrypt what they send to its Flows' endpoints. */
export interface FlowKey {
  /** PKCS #8, PEM. */
  private_key: string;
  /** Epoch milliseconds. */
  created_at: number;
}

/** The key that is registered now, and the one before it, which phones may still use. */
export const keysKept = 2;

/** RSA of 2048 bits, the only kind that the upstream takes. */
export async function createFlowKey(now: number): Promise<FlowKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), created_at: now };
}

/** The public half: SPKI, PEM. */
export function publicKeyOf({ private_key }: FlowKey): string {
  return String(createPublicKey(private_key).export({ type: 'spki', format: 'pem' }));
}

/** SHA-256 of a public key (SPKI, DER) in hex, however its PEM was wrapped; `undefined` when it is no key. */
export function fingerprint(publicKey: string | KeyObject): string | undefined {
  try {
    const key = typeof publicKey === 'string' ? createPublicKey(publicKey) : publicKey;
    return createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex');
  } catch {
    return undefined;
  }
}
