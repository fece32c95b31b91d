import { maxResponseBytes } from '#shared/base/response-size.ts';

/** The largest that the upstream delivers: a document (Meta, "Supported media types"). */
export const maxMediaBytes = 100 * 2 ** 20;

/** The largest that a Lambda answer carries, where three bytes take four characters of base64. */
export const maxDirectBytes = Math.floor(maxResponseBytes / 4) * 3;
