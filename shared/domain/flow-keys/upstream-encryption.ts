/** The key that the upstream has for a phone number. */
export interface RegisteredKey {
  /** PEM. */
  publicKey: string;
  /** `VALID` or `MISMATCH`; `undefined` when the upstream does not report it. */
  signatureStatus: string | undefined;
}

/** Reads and registers the public keys of phone numbers. Every method throws `UpstreamError` on failure. */
export interface UpstreamEncryption {
  /** Some versions of the upstream reject the request for a number without a key. */
  registeredKey(phoneNumberId: string): Promise<RegisteredKey | 'none' | 'unknown-number'>;
  /** Registers a public key (SPKI, PEM) in place of the one that the number has. */
  register(phoneNumberId: string, publicKey: string): Promise<void>;
}
