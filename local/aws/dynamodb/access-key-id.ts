import { randomBytes } from 'node:crypto';
import { keptSecret } from '../base/kept-secret.ts';

/** A random access key id that DynamoDB Local takes: letters and digits. */
export const newAccessKeyId = (): string => randomBytes(10).toString('hex');

/** The access key id that `file` keeps, because DynamoDB Local finds the data again only under the same id. */
export const keptAccessKeyId = (file: string): string => keptSecret(file, /^[0-9a-f]{20}$/, newAccessKeyId);
