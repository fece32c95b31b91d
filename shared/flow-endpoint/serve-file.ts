import { parseUuid } from '#shared/base/ids.ts';
import { log } from '#shared/base/logger.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { isLive } from '#shared/flows/flow.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import { typeOfFileName } from '#shared/media/file-types.ts';
import { type BucketLink, linkSeconds, type MediaBucket } from '#shared/media/media-bucket-store.ts';
import { copyPrefix } from '#shared/media/media-copy-store.ts';
import { MediaError } from '#shared/media/media-error.ts';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
import { contentDisposition, safeMediaType } from '#shared/media/media-response.ts';
import type { NumberStore } from '#shared/webhooks/number-store.ts';
import { type FileGrant, flowFilesOf, openGrant } from './file-address.ts';
import type { FileDownload } from './file-download-graph.ts';
import { openWithKeys, type PrivateKeysReader } from './flow-keys.ts';
import { decryptFile, maxFileBytes } from './picked-file.ts';

export interface FileContext {
  findFlow: FlowStore['find'];
  numbers: Pick<NumberStore, 'get'>;
  privateKeys: PrivateKeysReader;
  download: FileDownload;
  bucket: Pick<MediaBucket, 'save'>;
  link: BucketLink;
  now: Clock;
}

/** Responds with a file that a contact picked in a Flow, decrypted and verified as a whole, or a redirect to it. */
export async function serveFile(flowId: string | undefined, file: string | undefined, context: FileContext) {
  const { download, bucket, link, now } = context;
  const begin = now();
  const { flow, grant } = await findGrant(flowId, file ?? '', context);
  const clear = decryptFile(await download(grant.cdn_url), grant.encryption_metadata);
  const facts = { flow, bytes: clear?.length, duration_ms: now() - begin };
  if (!clear) {
    log('warn', 'flow-file.altered', facts);
    throw new ServiceError('flow-file.altered');
  }
  if (clear.length > maxFileBytes) throw new MediaError('too-large', maxFileBytes);
  log('info', 'flow-file.found', facts);
  const { contentType, extension } = safeMediaType(typeOfFileName(grant.file_name ?? ''));
  const disposition = contentDisposition('file', extension);
  if (clear.length <= maxDirectBytes) {
    const headers = {
      'content-type': contentType,
      'content-disposition': disposition,
      'content-security-policy': "sandbox; default-src 'none'",
    };
    return { status: 200, headers, body: clear } as const;
  }
  // However often the file is asked for, there is one copy.
  const name = Buffer.from(grant.encryption_metadata.plaintext_hash, 'base64').toString('hex');
  const blob = `${copyPrefix(flowFilesOf(grant))}${name}`;
  await bucket.save(blob, [clear]);
  const location = await link(blob, {
    contentType,
    contentDisposition: disposition,
    cacheControl: 'no-store',
    expiresInSeconds: linkSeconds,
  });
  return { status: 302, headers: { location } } as const;
}

/** The error is the same for every address that does not lead to a file. */
async function findGrant(
  id: string | undefined,
  file: string,
  { findFlow, numbers, privateKeys, now }: FileContext,
): Promise<{ flow: string; grant: FileGrant }> {
  const flowId = parseUuid(id);
  const flow = flowId === undefined ? undefined : await findFlow(flowId);
  const grant =
    flow && isLive(flow)
      ? await openWithKeys(flow.workspace, privateKeys, (keys) => openGrant(file, keys, flow.id, now()))
      : undefined;
  if (!flow || !grant) throw new ServiceError('flow-file.not-found');
  if (grant.owner !== flow.workspace) {
    const number = await numbers.get(grant.owner);
    if (!number?.active || number.workspace !== flow.workspace) throw new ServiceError('flow-file.not-found');
  }
  return { flow: flow.id, grant };
}
