/** What the upstream has for a phone number. */
export interface RegisteredKey {
  /** PEM. */
  publicKey: string;
  /** `VALID` or `MISMATCH`; `undefined` when it is not told. */
  signatureStatus: string | undefined;
}

/** The public keys of phone numbers. Every method throws `UpstreamError` when it fails. */
export interface UpstreamEncryption {
  /** Some versions refuse to answer for a number without a key. */
  registeredKey(phoneNumberId: string): Promise<RegisteredKey | 'none' | 'unknown-number'>;
  /** Registers a public key (SPKI, PEM) in place of the one that the number has. */
  register(phoneNumberId: string, publicKey: string): Promise<void>;
}
