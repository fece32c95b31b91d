import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { maxResponseBytes } from '#shared/http/response-body.ts';

/** The largest file that the upstream delivers: a document (Meta, "Supported media types"). */
export const maxMediaBytes = 100 * 2 ** 20;

/** The largest file that fits in a Lambda response, where base64 turns three bytes into four characters. */
export const maxDirectBytes = Math.floor(maxResponseBytes / 4) * 3;

/** How long the work on a file may take, in milliseconds: what follows the last byte needs the rest. */
export const mediaBudgetMs = maxTimeoutSeconds * 1000 - 4_000;

/**
 * The passing on of a file is not started with fewer milliseconds left: the timeout would interrupt it, and the next
 * request can start right away.
 */
export const minTimeToStartMs = 10_000;

/** How long the copy of a large file is used. */
export const mediaCopyKeptDays = 1;

/** How long an upload can be completed, and its completion be repeated. */
export const uploadKeptDays = 1;

/** How many bytes the uploads of a workspace may announce in an hour. The bucket keeps them for up to two days. */
export const maxUploadBytesPerHour = 20 * 2 ** 30;

/** How long the URL of an upload works. */
export const uploadUrlSeconds = 3_600;
