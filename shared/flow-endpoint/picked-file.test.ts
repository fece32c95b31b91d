import { expect, it } from 'vitest';
import { encryptedFile, hashOf } from '#support/flows/encrypted-file.ts';
import { decryptFile, maxFiles, replaceFiles } from './picked-file.ts';

const bytes = Buffer.from('a picture');

it('decrypts a file, also an empty one', async () => {
  for (const file of [bytes, Buffer.alloc(0)]) {
    const { encrypted, encryption_metadata: keys } = await encryptedFile(file);
    expect(decryptFile(encrypted, keys)).toEqual(file);
  }
});

const flipped = (text: string) => {
  const changed = Buffer.from(text, 'base64');
  changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
  return changed.toString('base64');
};

it.each(['encrypted_hash', 'iv', 'encryption_key', 'hmac_key', 'plaintext_hash'] as const)(
  'rejects a file with another %s',
  async (name) => {
    const { encrypted, encryption_metadata: keys } = await encryptedFile(bytes);
    expect(decryptFile(encrypted, { ...keys, [name]: flipped(keys[name]) })).toBeUndefined();
  },
);

it.each([
  ['a truncated file', (file: Buffer) => file.subarray(0, -16)],
  ['a file without its HMAC', (file: Buffer) => file.subarray(0, -10)],
  ['nothing', () => Buffer.alloc(0)],
  ['only an HMAC', (file: Buffer) => file.subarray(-10)],
  ['a wrong HMAC', (file: Buffer) => Buffer.concat([file.subarray(0, -1), Buffer.of((file.at(-1) ?? 0) ^ 1)])],
])('rejects %s, even if its hash is the announced one', async (_, change) => {
  const { encrypted, encryption_metadata: keys } = await encryptedFile(bytes);
  const changed = change(encrypted);
  expect(decryptFile(changed, { ...keys, encrypted_hash: await hashOf(changed) })).toBeUndefined();
});

const request = (data: unknown) => Buffer.from(JSON.stringify({ action: 'data_exchange', data }));
const replaced = (data: unknown) =>
  JSON.parse(replaceFiles(request(data), ({ cdn_url }) => `ours:${cdn_url}`).toString()).data;

const file = async () => {
  const { encryption_metadata } = await encryptedFile(bytes);
  return { file_name: 'a.jpg', media_id: '1', cdn_url: 'https://mmg.whatsapp.net/1', encryption_metadata };
};

it('puts an address in the place of the keys of a file', async () => {
  expect(await replaced({ photos: [await file(), 'other'], name: 'Ana' })).toEqual({
    photos: [{ file_name: 'a.jpg', media_id: '1', url: 'ours:https://mmg.whatsapp.net/1' }, 'other'],
    name: 'Ana',
  });
});

it.each([
  ['without keys', { encryption_metadata: null }],
  ['with a key that is too short', { encryption_metadata: { iv: 'AAAA' } }],
  ['without an address', { cdn_url: undefined }],
  ['with an address that is too long', { cdn_url: `https://mmg.whatsapp.net/${'x'.repeat(2048)}` }],
])('removes what is left of the keys of a file %s', async (_, change) => {
  const { photos } = await replaced({ photos: [{ ...(await file()), ...change }] });
  expect(photos).toEqual([{ file_name: 'a.jpg', media_id: '1' }]);
});

it('gives an address to as many files as a picker takes', async () => {
  const photos: object[] = (await replaced({ photos: Array(maxFiles + 1).fill(await file()) })).photos;
  expect(photos.filter((photo) => 'url' in photo)).toHaveLength(maxFiles);
  expect(JSON.stringify(photos)).not.toContain('encryption_metadata');
});

it('leaves all other bytes of a request as they are', async () => {
  const plain = Buffer.from('{ "action": "data_exchange", "data": {"n": 1.0, "list": [{}]} }');
  expect(replaceFiles(plain, () => '')).toBe(plain);
  const clear = request({ photos: [await file()], n: 0 })
    .toString()
    .replace('"n":0', '"n":12345678901234567890.10');
  expect(replaceFiles(Buffer.from(clear), () => '').toString()).toContain('"n":12345678901234567890.10');
});
