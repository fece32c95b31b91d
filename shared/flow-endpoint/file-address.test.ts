import { createPrivateKey, type KeyObject } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { encryptedFile } from '#support/flows/encrypted-file.ts';
import { type FileGrant, openGrant, sealGrant } from './file-address.ts';
import { createFlowKey } from './flow-keys.ts';

const now = 1_800_000_000_000;
const flow = newId();

let keys: KeyObject[];
let grant: FileGrant;
beforeAll(async () => {
  const made = await Promise.all([createFlowKey(0), createFlowKey(0)]);
  keys = made.map(({ private_key }) => createPrivateKey(private_key));
  const { encryption_metadata } = await encryptedFile(Buffer.from('a'));
  const cdn_url = 'https://mmg.whatsapp.net/v/1';
  grant = { owner: newId(), token_hash: 'h', valid_until: now + 1, cdn_url, encryption_metadata };
});

const seal = (key = keys[0]) => sealGrant(grant, key as KeyObject, flow);

it('is opened with the key that sealed it, or the one before', () => {
  expect(openGrant(seal(), keys, flow, now)).toEqual(grant);
  expect(openGrant(seal(keys[1]), keys, flow, now)).toEqual(grant);
});

it('shows nothing of what it carries, and is another one each time', () => {
  expect(Buffer.from(seal(), 'base64url').includes('whatsapp')).toBe(false);
  expect(seal()).not.toBe(seal());
});

it('fits in the path of a request', () => {
  expect(sealGrant({ ...grant, cdn_url: 'x'.repeat(2048) }, keys[0] as KeyObject, flow).length).toBeLessThan(4096);
});

it('does not open after its hour, for another Flow, or with the key of another workspace', () => {
  expect(openGrant(seal(), keys, flow, now + 1)).toBeUndefined();
  expect(openGrant(seal(), keys, newId(), now)).toBeUndefined();
  expect(openGrant(seal(), keys.slice(1), flow, now)).toBeUndefined();
});

it('does not open if one character is another, missing or too many', () => {
  const text = seal();
  for (let position = 0; position < text.length; position += 7) {
    const other = text[position] === 'A' ? 'B' : 'A';
    expect(openGrant(text.slice(0, position) + other + text.slice(position + 1), keys, flow, now)).toBeUndefined();
  }
  const last = text.charCodeAt(text.length - 1);
  const variants = ['', 'A', text.slice(0, -1), `${text}A`, `${text}=`, `${text}!`];
  variants.push(text.slice(0, -1) + String.fromCharCode(last + 1));
  for (const variant of variants) expect(openGrant(variant, keys, flow, now)).toBeUndefined();
});
