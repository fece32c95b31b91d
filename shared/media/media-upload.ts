import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#shared/base/ids.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { invalidField, invalidFields, ServiceError } from '#shared/base/service-error.ts';
import { type Clock, hourMs } from '#shared/base/time.ts';
import { isHeld } from '#shared/base/time-limits.ts';
import { lacksResponse, UpstreamError } from '#shared/base/upstream-error.ts';
import type { FileToUpload } from '#shared/graph/graph-client.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { FileRequest } from './copy-media.ts';
import type { SignUpload, UploadBucket } from './media-bucket-store.ts';
import type { UpstreamUploads } from './media-graph.ts';
import {
  fileFaults,
  fileTypes,
  maxUploadBytesPerHour,
  minTimeToStartMs,
  stickerFaults,
  uploadUrlSeconds,
} from './media-limits.ts';
import type { MediaUpload, MediaUploadStore, UploadKey } from './media-upload-store.ts';

export const blobOf = ({ number, upload }: UploadKey): string => `uploads/${number}/${upload}`;

interface CreationContext {
  uploads: MediaUploadStore;
  signUpload: SignUpload;
  now: Clock;
}

/** Creates an upload for a file of this type and size. The URL that it resolves with takes no other. */
export async function createUpload(
  { id: number, workspace }: PhoneNumber,
  file: { type: string; size: number },
  { uploads, signUpload, now }: CreationContext,
): Promise<{ upload: string; url: string; expiresAt: number }> {
  const faults = fileFaults(file, { typeField: 'type', sizeField: 'size' });
  if (faults.length > 0) throw invalidFields(faults);
  const key = { number, upload: newId() };
  const begin = now();
  const hour = Math.floor(begin / hourMs);
  if (!(await uploads.reserve(workspace, file.size, hour))) throw tooMuch((hour + 1) * hourMs - begin);
  const url = await signUpload(blobOf(key), { ...file, expiresInSeconds: uploadUrlSeconds });
  await uploads.create(key, file, begin);
  return { upload: key.upload, url, expiresAt: begin + uploadUrlSeconds * 1000 };
}

function tooMuch(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const values = { gigabytes: maxUploadBytesPerHour / 2 ** 30, seconds: retryAfterSeconds };
  return new ServiceError('media-upload.too-much', { values, retryAfterSeconds });
}

export interface CompletionContext extends FileRequest {
  uploads: MediaUploadStore;
  bucket: UploadBucket;
  upstream: UpstreamUploads;
}

/** How soon to retry while another request sends the file: it may be done long before its lease expires. */
const retryAfterSeconds = 5;

/**
 * Sends the file of an upload to the upstream, and resolves with the id of the media. A repeat sends it again only if
 * the upstream certainly has nothing: there is no way to ask for the id of a file, nor to find a second one.
 */
export async function completeUpload(
  number: PhoneNumber,
  id: string | undefined,
  context: CompletionContext,
): Promise<string> {
  const { uploads, pollMs, now } = context;
  if (id === undefined) throw notFound();
  const key = { number: number.id, upload: id };
  for (;;) {
    const found = await uploads.read(key, now());
    if (found === undefined) throw notFound();
    if (found.state === 'sent') return found.media;
    if (isTaken(found, context)) {
      requireTimeLeft(pollMs, context);
      await delay(pollMs);
    } else if (found.state === 'handed-over' || found.state === 'outcome-unknown') {
      throw new ServiceError('media-upload.outcome-unknown');
    } else {
      requireTimeLeft(minTimeToStartMs, context);
      if (await uploads.claim(key, context.holder, now())) return send(number, key, found, context);
    }
  }
}

function isTaken(found: MediaUpload, { holder, now }: CompletionContext): boolean {
  return 'lease' in found && found.lease.holder !== holder && isHeld(found.lease, now());
}

function requireTimeLeft(neededMs: number, { deadline, now }: CompletionContext): void {
  if (deadline - now() < neededMs) throw inProgress();
}

/** Sends the file. The response stands even if the record of it cannot be written. */
async function send(
  number: PhoneNumber,
  key: UploadKey,
  { type }: MediaUpload,
  { uploads, bucket, upstream, holder, now }: CompletionContext,
): Promise<string> {
  let handedOver = false;
  /** Reads the file, and records before its end that the upstream gets all of it. */
  async function* fileToHandOver(blob: string) {
    yield* bucket.read(blob);
    if (!(await uploads.handOver(key, holder))) throw inProgress();
    handedOver = true;
  }

  try {
    const blob = blobOf(key);
    const size = await bucket.sizeOf(blob);
    if (size === undefined) throw new ServiceError('media-upload.no-file');
    const media = await upload(number, { type, size, open: () => fileToHandOver(blob) }, { upstream, now });
    await recordOrLog(() => uploads.finish(key, holder, media));
    return media;
  } catch (error) {
    const outcomeIsUnknown = handedOver && !(error instanceof UpstreamError && !error.outcomeIsUnknown);
    if (outcomeIsUnknown) log('warn', 'media-upload.outcome-unknown', { ...key });
    await recordOrLog(() => (outcomeIsUnknown ? uploads.abandon : uploads.release)(key, holder));
    throw error;
  }
}

async function recordOrLog(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log('warn', 'media-upload.not-recorded', describeError(error));
  }
}

const inProgress = () =>
  new ServiceError('media-upload.in-progress', { values: { seconds: retryAfterSeconds }, retryAfterSeconds });

const notFound = () => new ServiceError('media-upload.not-found');

export interface RequestFile {
  /** Empty if the request names none. */
  type: string;
  bytes: Uint8Array;
}

interface Context {
  upstream: UpstreamUploads;
  now: Clock;
}

/** Uploads the file of a request to the upstream. Resolves with the id of the media. */
export async function uploadRequestFile(
  number: PhoneNumber,
  { type, bytes }: RequestFile,
  context: Context,
): Promise<string> {
  if (type === '') throw invalidField('file', 'file_type_missing', { types: fileTypes.join(', ') });
  const file = { type, size: bytes.byteLength, open: () => [bytes] };
  const faults = [
    ...fileFaults(file, { typeField: 'file', sizeField: 'file' }),
    ...stickerFaults({ type, bytes }, 'file'),
  ].slice(0, 1);
  if (faults.length > 0) throw invalidFields(faults);
  return upload(number, file, context);
}

export async function upload(number: PhoneNumber, file: FileToUpload, { upstream, now }: Context): Promise<string> {
  const begin = now();
  try {
    const media = await upstream.upload(number.phone_number_id, file);
    log('info', 'media.uploaded', { number: number.id, media, bytes: file.size, duration_ms: now() - begin });
    return media;
  } catch (error) {
    throw error instanceof UpstreamError ? explained(error) : error;
  }
}

/** Says of a file that got no id whether the upstream may have it. */
function explained(error: UpstreamError): UpstreamError {
  if (error.outcomeIsUnknown) return error.explained({ meaning: { code: 'media.outcome-unknown' } });
  return lacksResponse(error) ? error.explained({ meaning: { code: 'media.not-taken' } }) : error;
}
