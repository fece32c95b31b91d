import { newId } from '#shared/base/ids.ts';
import { invalidFields, ServiceError } from '#shared/base/service-error.ts';
import { type Clock, hourMs } from '#shared/base/time.ts';
import type { PhoneNumber } from '#shared/webhooks/number.ts';
import { fileFaults } from './file-types.ts';
import { maxUploadBytesPerHour, uploadUrlSeconds } from './media-limits.ts';
import { blobOf, type MediaUploadStore, type SignUpload } from './media-upload.ts';

interface Context {
  uploads: MediaUploadStore;
  signUpload: SignUpload;
  now: Clock;
}

/** Creates an upload for a file of this type and size. The URL that it resolves with takes no other. */
export async function createUpload(
  { id: number, workspace }: PhoneNumber,
  file: { type: string; size: number },
  { uploads, signUpload, now }: Context,
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
