import { constants, createCipheriv, createDecipheriv, publicEncrypt, randomBytes } from 'node:crypto';
import { defaultDataApiVersion } from '#shared/flow-json/document/versions.ts';

/** An encrypted request of a phone, and the means to decrypt the response. */
export interface PhoneEnvelope {
  /** The JSON to post. */
  body: string;
  /** Decrypts a response. Throws when the response is not encrypted for this request. */
  open(response: string): Buffer;
}

/** The phone's side of `envelope.ts`: encrypts a request for the owner of a public key (PEM). */
export function sealRequest(
  request: string | Buffer,
  publicKey: string,
  dataApiVersion = defaultDataApiVersion,
): PhoneEnvelope {
  const key = randomBytes(16);
  const iv = randomBytes(16);
  const responseIv = dataApiVersion === '1.0' ? iv : Buffer.from(iv.map((byte) => byte ^ 0xff));
  const cipher = createCipheriv('aes-128-gcm', key, iv);
  const data = Buffer.concat([cipher.update(request), cipher.final(), cipher.getAuthTag()]);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return {
    body: JSON.stringify({
      encrypted_flow_data: data.toString('base64'),
      encrypted_aes_key: publicEncrypt({ key: publicKey, padding, oaepHash: 'sha256' }, key).toString('base64'),
      initial_vector: iv.toString('base64'),
    }),
    open(response) {
      const sealed = Buffer.from(response, 'base64');
      const decipher = createDecipheriv('aes-128-gcm', key, responseIv);
      decipher.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    },
  };
}
