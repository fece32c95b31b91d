import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { isObject, listOf, objectOf, own, parseExactJson, parseJson } from '#shared/base/json.ts';

/** The largest file that a contact can pick (Meta, "Media upload components"). */
export const maxFileBytes = 25 * 2 ** 20;

/** How many files of a request get an address: as many as a picker takes. */
export const maxFiles = 30;

const blockBytes = 16;

/** The platform keeps only the beginning of the HMAC, after the ciphertext. */
const macBytes = 10;

export const maxEncryptedBytes = maxFileBytes + blockBytes + macBytes;

/** Base64 of this many bytes. */
const bytes = (length: number) =>
  z.string().check(z.refine((text) => text.length < 2 * length && Buffer.from(text, 'base64').length === length));

const fileKeys = z.object({
  encrypted_hash: bytes(32),
  iv: bytes(16),
  encryption_key: bytes(32),
  hmac_key: bytes(32),
  plaintext_hash: bytes(32),
});

/** What decrypts a file and verifies it. */
export type FileKeys = z.infer<typeof fileKeys>;

const pickedFile = z.object({
  // Longer ones would not fit in an address of ours.
  cdn_url: z.string().check(z.maxLength(2048)),
  file_name: z.optional(z.string()),
  encryption_metadata: fileKeys,
});

/** A file that a contact picked in a Flow, as the phone's request names it. */
export type PickedFile = z.infer<typeof pickedFile>;

/**
 * Puts addresses in the place of the keys of files in a phone's request. Phones have files only in lists that are members
 * of `data`. A file whose keys are not complete, or that is one too many, gets no address, and its keys are removed too.
 */
export function replaceFiles(clear: Buffer, addressOf: (file: PickedFile) => string): Buffer {
  const data = own(parseJson(clear), 'data');
  if (!isObject(data) || !Object.values(data).some((list) => listOf(list).some(isFile))) return clear;
  let left = maxFiles;
  const replaced = (item: unknown) => {
    if (!isFile(item)) return item;
    const { cdn_url: _url, encryption_metadata: _keys, ...others } = item;
    const { data: file } = z.safeParse(pickedFile, item);
    return file && left-- > 0 ? { ...others, url: addressOf(file) } : others;
  };
  // Only now are the numbers read with all their digits, because most requests have no files.
  const request = parseExactJson(clear.toString()) as { data: object };
  const members = Object.entries(request.data).map(
    ([name, value]) => [name, Array.isArray(value) ? value.map(replaced) : value] as const,
  );
  return Buffer.from(JSON.stringify({ ...request, data: objectOf(members) }));
}

const isFile = (item: unknown): item is Record<string, unknown> =>
  isObject(item) && Object.hasOwn(item, 'encryption_metadata');

/**
 * Decrypts a file of the platform's media hosts (the same page: AES-256-CBC with PKCS #7, HMAC-SHA256 over IV and
 * ciphertext). Returns `undefined` unless both hashes and the HMAC are right.
 */
export function decryptFile(encrypted: Buffer, keys: FileKeys): Buffer | undefined {
  const key = (name: keyof FileKeys) => Buffer.from(keys[name], 'base64');
  if (encrypted.length < macBytes || !isHash(encrypted, key('encrypted_hash'))) return undefined;
  const ciphertext = encrypted.subarray(0, -macBytes);
  const mac = createHmac('sha256', key('hmac_key')).update(key('iv')).update(ciphertext).digest();
  if (!timingSafeEqual(mac.subarray(0, macBytes), encrypted.subarray(-macBytes))) return undefined;
  const clear = decrypt(ciphertext, key('encryption_key'), key('iv'));
  return clear && isHash(clear, key('plaintext_hash')) ? clear : undefined;
}

const isHash = (content: Buffer, hash: Buffer) => timingSafeEqual(createHash('sha256').update(content).digest(), hash);

function decrypt(ciphertext: Buffer, key: Buffer, iv: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-cbc', key, iv);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    return undefined;
  }
}
