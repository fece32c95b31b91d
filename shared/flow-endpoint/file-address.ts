import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { hashToken } from '#shared/accounts/token.ts';
import { parseJson } from '#shared/base/json.ts';
import { type Clock, hourMs } from '#shared/base/time.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import type { MediaKey } from '#shared/media/media-copy-store.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { FlowRequest } from './envelope.ts';
import { keysKeptMs, type PrivateKeysReader } from './flow-keys.ts';
import { type PickedFile, replaceFiles } from './picked-file.ts';

/** What the address of a file carries, sealed, so that nothing has to be stored for it. */
export interface FileGrant extends PickedFile {
  /** The number that sent the Flow; the workspace if another system sent it. */
  owner: string;
  /** The hash of the flow token, by which an erasure of the contact finds copies. */
  token_hash: string;
  /** The end of the hour for which the address is valid, in epoch milliseconds. */
  valid_until: number;
}

/** What stands for the files of a sent Flow where copies of media have an id. */
export const flowFilesId = (tokenHash: string) => `flow-${tokenHash}`;

/** Where copies of the files of a sent Flow are, among those of media. */
export const flowFilesOf = ({ owner, token_hash }: Pick<FileGrant, 'owner' | 'token_hash'>): MediaKey => ({
  number: owner,
  media: flowFilesId(token_hash),
});

const validForMs = hourMs;
const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** A key of 256 bits that serves nothing else. It lives and rotates with the Flow key of its workspace. */
const sealingKey = (key: KeyObject) =>
  Buffer.from(hkdfSync('sha256', key.export({ type: 'pkcs8', format: 'der' }), '', 'messaging flow files', 32));

/** Encrypts a grant into the last part of an address of this Flow. */
export function sealGrant(grant: FileGrant, key: KeyObject, flow: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, sealingKey(key), iv).setAAD(Buffer.from(flow));
  const sealed = [iv, cipher.update(JSON.stringify(grant)), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Opens what `sealGrant` made. `undefined` if it was altered, is of another Flow or workspace, or is too old. */
export function openGrant(text: string, keys: readonly KeyObject[], flow: string, now: number): FileGrant | undefined {
  const sealed = Buffer.from(text, 'base64url');
  // Other texts decode to the same bytes.
  if (sealed.length < ivBytes + tagBytes || sealed.toString('base64url') !== text) return undefined;
  for (const key of keys) {
    const grant = openWith(sealed, sealingKey(key), flow);
    if (grant) return grant.valid_until > now ? grant : undefined;
  }
  return undefined;
}

function openWith(sealed: Buffer, key: Buffer, flow: string): FileGrant | undefined {
  const iv = sealed.subarray(0, ivBytes);
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(flow));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const clear = Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
    return parseJson(clear) as FileGrant;
  } catch {
    return undefined;
  }
}

export interface AddressContext {
  privateKeys: PrivateKeysReader;
  fileUrl: (flow: string, file: string) => string;
  now: Clock;
}

/** A phone's request with addresses of this service in the place of the keys of files. */
export async function addressFiles(
  clear: Buffer,
  { flow, request, sent }: { flow: LiveFlow; request: FlowRequest; sent: SentFlow | undefined },
  { privateKeys, fileUrl, now }: AddressContext,
): Promise<Buffer> {
  if (!clear.includes('encryption_metadata')) return clear;
  const [key] = await privateKeys(flow.workspace, keysKeptMs);
  const common = {
    owner: sent?.number ?? flow.workspace,
    token_hash: hashToken(request.flowToken ?? ''),
    valid_until: now() + validForMs,
  };
  return replaceFiles(clear, (file) =>
    key === undefined ? '' : fileUrl(flow.id, sealGrant({ ...common, ...file }, key, flow.id)),
  );
}
