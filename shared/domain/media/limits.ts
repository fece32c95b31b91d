import { maxResponseBytes } from '#shared/base/response-size.ts';

/** The largest file that the upstream delivers: a document (Meta, "Supported media types"). */
export const maxMediaBytes = 100 * 2 ** 20;

/** The largest file that fits in a Lambda response, where base64 turns three bytes into four characters. */
export const maxDirectBytes = Math.floor(maxResponseBytes / 4) * 3;

/** How long the copy of a large file is used. */
export const mediaCopyKeptDays = 1;

/** How long an upload can be completed, and its completion be repeated. */
export const uploadKeptDays = 1;

/** How long the URL of an upload works. */
export const uploadUrlSeconds = 3_600;
