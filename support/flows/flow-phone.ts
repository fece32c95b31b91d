import { webcrypto } from 'node:crypto';

const { subtle } = webcrypto;

export interface PhoneRequest {
  /** The body to post to the endpoint. */
  envelope: { encrypted_flow_data: string; encrypted_aes_key: string; initial_vector: string };
  /** Reads a response. Rejects if it is not for this phone. */
  read(response: string): Promise<unknown>;
}

/** Sizes of parts of the envelope that a test changes. */
interface Sizes {
  ivBytes?: number;
  keyBytes?: 16 | 32;
}

/**
 * A phone by Meta's published scheme ("Implementing endpoints for Flows"), in WebCrypto: it shares no code, and no
 * library interface, with the service.
 * @param publicKey SPKI, PEM
 */
export async function phoneRequest(payload: unknown, publicKey: string, sizes: Sizes = {}): Promise<PhoneRequest> {
  const rsa = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const der = Buffer.from(publicKey.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const wrapping = await subtle.importKey('spki', der, rsa, false, ['encrypt']);
  const secret = webcrypto.getRandomValues(new Uint8Array(sizes.keyBytes ?? 16));
  const iv = webcrypto.getRandomValues(new Uint8Array(sizes.ivBytes ?? 16));
  const key = await subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const text = new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload));
  // WebCrypto appends the tag to the ciphertext, as the scheme requires.
  const data = await subtle.encrypt({ name: 'AES-GCM', iv, tagLength: 128 }, key, text);
  return {
    envelope: {
      encrypted_flow_data: base64(data),
      encrypted_aes_key: base64(await subtle.encrypt(rsa, wrapping, secret)),
      initial_vector: base64(iv),
    },
    async read(response) {
      const used = iv.map((byte) => 255 - byte);
      const bytes = Uint8Array.from(atob(response), (char) => char.charCodeAt(0));
      const clear = await subtle.decrypt({ name: 'AES-GCM', iv: used, tagLength: 128 }, key, bytes);
      return JSON.parse(new TextDecoder().decode(clear));
    },
  };
}

/** The owner of an endpoint, by the same scheme, for Flows whose envelopes the service does not open. */
export async function createEndpointOwner() {
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  const pair = await subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
  const spki = base64(await subtle.exportKey('spki', pair.publicKey));
  return {
    publicKey: `-----BEGIN PUBLIC KEY-----\n${spki.match(/.{1,64}/g)?.join('\n')}\n-----END PUBLIC KEY-----\n`,
    /** A decrypted request, and the encrypted response to it. */
    async open(body: Buffer) {
      const { encrypted_flow_data, encrypted_aes_key, initial_vector } = JSON.parse(body.toString());
      const secret = await subtle.decrypt('RSA-OAEP', pair.privateKey, Buffer.from(encrypted_aes_key, 'base64'));
      const key = await subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']);
      const iv = Uint8Array.from(Buffer.from(initial_vector, 'base64'));
      const clear = await subtle.decrypt({ name: 'AES-GCM', iv }, key, Buffer.from(encrypted_flow_data, 'base64'));
      return {
        request: JSON.parse(new TextDecoder().decode(clear)),
        seal: async (response: unknown) =>
          base64(
            await subtle.encrypt(
              { name: 'AES-GCM', iv: iv.map((byte) => 255 - byte) },
              key,
              new TextEncoder().encode(JSON.stringify(response)),
            ),
          ),
      };
    },
  };
}

const base64 = (bytes: ArrayBuffer | Uint8Array) =>
  Buffer.from(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes).toString('base64');
