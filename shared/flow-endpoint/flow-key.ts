import { createHash, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** A key pair of a workspace. Phones encrypt requests to the workspace's endpoints with its public half. */
export interface FlowKey {
  /** PKCS #8, PEM. */
  private_key: string;
  /** Epoch milliseconds. */
  created_at: number;
}

/** The registered key and the one before it, which phones may still use. */
export const keysKept = 2;

/** Creates an RSA key of 2048 bits, the only kind that the upstream accepts. */
export async function createFlowKey(now: number): Promise<FlowKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), created_at: now };
}

/** The public half: SPKI, PEM. */
export function publicKeyOf({ private_key }: FlowKey): string {
  return String(createPublicKey(private_key).export({ type: 'spki', format: 'pem' }));
}

/**
 * The SHA-256 of a public key (SPKI, DER) in hex, independent of how its PEM is wrapped; `undefined` when it is not a
 * key.
 */
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
