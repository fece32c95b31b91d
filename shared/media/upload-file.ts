import { log } from '#shared/base/logger.ts';
import { invalidField, invalidFields } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { lacksResponse, UpstreamError } from '#shared/base/upstream-error.ts';
import type { FileToUpload } from '#shared/graph/multipart-form.ts';
import type { PhoneNumber } from '#shared/webhooks/number.ts';
import { fileFaults, fileTypes, stickerFaults } from './file-types.ts';
import type { UpstreamUploads } from './media-graph.ts';

/** A file of a request. */
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
  const file = { type, size: bytes.byteLength, open: () => oneChunk(bytes) };
  const faults = [
    ...fileFaults(file, { typeField: 'file', sizeField: 'file' }),
    ...stickerFaults({ type, bytes }, 'file'),
  ].slice(0, 1);
  if (faults.length > 0) throw invalidFields(faults);
  return upload(number, file, context);
}

/** Uploads a file to the upstream. Resolves with the id of the media. */
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

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
