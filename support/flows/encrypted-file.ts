import { webcrypto } from 'node:crypto';

const { subtle } = webcrypto;

/**
 * Encrypts a file as a phone does for a Flow's endpoint (Meta, "Media upload components"), in WebCrypto: it shares no
 * code with the service. `encrypted` is what the platform's media host has.
 */
export async function encryptedFile(bytes: Buffer) {
  const random = (size: number) => webcrypto.getRandomValues(new Uint8Array(size));
  const [iv, aesKey, hmacKey] = [random(16), random(32), random(32)];
  const aes = await subtle.importKey('raw', aesKey, 'AES-CBC', false, ['encrypt']);
  const ciphertext = Buffer.from(await subtle.encrypt({ name: 'AES-CBC', iv }, aes, Uint8Array.from(bytes)));
  const hmac = await subtle.importKey('raw', hmacKey, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = Buffer.from(await subtle.sign('HMAC', hmac, Uint8Array.from(Buffer.concat([iv, ciphertext]))));
  const encrypted = Buffer.concat([ciphertext, mac.subarray(0, 10)]);
  return {
    encrypted,
    encryption_metadata: {
      encrypted_hash: await hashOf(encrypted),
      iv: base64(iv),
      encryption_key: base64(aesKey),
      hmac_key: base64(hmacKey),
      plaintext_hash: await hashOf(bytes),
    },
  };
}

export const hashOf = async (bytes: Buffer) =>
  base64(new Uint8Array(await subtle.digest('SHA-256', Uint8Array.from(bytes))));

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
