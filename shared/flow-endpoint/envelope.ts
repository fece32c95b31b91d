import {
  constants,
  createCipheriv,
  createDecipheriv,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import * as z from 'zod/mini';
import { isObject, type JsonObject, parseJson } from '#shared/base/json.ts';

export interface OpenedEnvelope {
  clear: Buffer;
  /** Encrypts a response for the phone, in base64. */
  seal(response: Buffer): string;
}

/**
 * The length is checked separately: a repeated group in the expression would exhaust its stack on several megabytes.
 */
const base64 = z.string().check(
  z.regex(/^[A-Za-z0-9+/]*={0,2}$/),
  z.refine((text) => text.length % 4 === 0),
);
const envelope = z.object({ encrypted_flow_data: base64, encrypted_aes_key: base64, initial_vector: base64 });

const algorithm = 'aes-128-gcm';
const keyBytes = 16;
const ivBytes = 16;
const tagBytes = 16;

/**
 * Opens the envelope of a data exchange with the first of `keys` that fits. Returns `undefined` when none fits or the
 * envelope was tampered with (Meta's page "Implementing endpoints for Flows": RSA-OAEP with SHA-256 around an
 * AES-128-GCM key).
 */
export function openEnvelope(body: Buffer, keys: readonly KeyObject[]): OpenedEnvelope | undefined {
  const parsed = z.safeParse(envelope, parseJson(body));
  if (!parsed.success) return undefined;
  const wrappedKey = Buffer.from(parsed.data.encrypted_aes_key, 'base64');
  const data = Buffer.from(parsed.data.encrypted_flow_data, 'base64');
  const iv = Buffer.from(parsed.data.initial_vector, 'base64');
  if (iv.length !== ivBytes || data.length < tagBytes) return undefined;
  for (const key of keys) {
    const opened = openWith(key, wrappedKey, iv, data);
    if (opened) return opened;
  }
  return undefined;
}

function openWith(privateKey: KeyObject, wrappedKey: Buffer, iv: Buffer, data: Buffer): OpenedEnvelope | undefined {
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const key = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrappedKey);
    if (key.length !== keyBytes) return undefined;
    const clear = decrypt(key, iv, data);
    return { clear, seal: (response) => encrypt(key, inverted(iv), response) };
  } catch {
    return undefined;
  }
}

function decrypt(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  decipher.setAuthTag(data.subarray(-tagBytes));
  return Buffer.concat([decipher.update(data.subarray(0, -tagBytes)), decipher.final()]);
}

function encrypt(key: Buffer, iv: Buffer, clear: string | Buffer): string {
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  const sealed = Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64');
}

/** Responses are encrypted under the inverted IV of their request. */
const inverted = (iv: Buffer) => Buffer.from(iv.map((byte) => ~byte));

/** An encrypted request of a phone, and the means to decrypt the response. */
export interface PhoneEnvelope {
  body: string;
  /** Decrypts a response. Throws when the response is not encrypted for this request. */
  open(response: string): Buffer;
}

/** Plays the phone: encrypts a request for the owner of a public key (PEM). */
export function sealRequest(request: string | Buffer, publicKey: string): PhoneEnvelope {
  const key = randomBytes(keyBytes);
  const iv = randomBytes(ivBytes);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return {
    body: JSON.stringify({
      encrypted_flow_data: encrypt(key, iv, request),
      encrypted_aes_key: publicEncrypt({ key: publicKey, padding, oaepHash: 'sha256' }, key).toString('base64'),
      initial_vector: iv.toString('base64'),
    }),
    open: (response) => decrypt(key, inverted(iv), Buffer.from(response, 'base64')),
  };
}

/** A request of a phone, or of the upstream's health check, to a Flow's endpoint. */
export interface FlowRequest {
  /** `ping`, `INIT`, `data_exchange`, `BACK`, or an action that a later version adds. */
  action: string;
  /** The version of the data API, e.g. `3.0`. */
  version: string | undefined;
  /** The screen that the phone shows. */
  screen: string | undefined;
  /** The phone's error code, when the request only reports that an earlier response was invalid. */
  reportedError: string | undefined;
  /** Some phones omit it. */
  flowToken: string | undefined;
}

/** Reads a decrypted request; `undefined` when it is not one. */
export function readFlowRequest(clear: Buffer): FlowRequest | undefined {
  const request = parseJson(clear);
  if (!isObject(request) || typeof request.action !== 'string') return undefined;
  return {
    action: request.action,
    version: text(request.version),
    screen: text(request.screen),
    reportedError: isObject(request.data) ? reportedError(request.data) : undefined,
    flowToken: text(request.flow_token),
  };
}

/** A customer's own form may have a field called `error`. An error report also has the message, or only the key. */
function reportedError({ error, error_key, error_message }: JsonObject): string | undefined {
  return text(error_key) ?? (error_message === undefined ? undefined : text(error));
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
