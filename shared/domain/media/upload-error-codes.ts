import { type KnownCode, knownErrors } from '../errors/known-codes.ts';

/** Codes with which the upstream says that it failed and that the request may be sent again (Meta, "Error codes"). */
const uploadErrorCodes = [2, 131000, 131016, 131057].map(
  (code): KnownCode => ({ code, failure: 'unavailable', meaning: 'not-taken' }),
);

/** The codes after which the upstream certainly has no file. */
export const knownUploadError = knownErrors('media', uploadErrorCodes);
