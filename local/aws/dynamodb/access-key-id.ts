import { keptSecret } from '../base/kept-secret.ts';
import { randomText } from '../base/random-text.ts';

/** A random access key id that DynamoDB Local takes: letters and digits. */
export const newAccessKeyId = (): string => randomText(10, 'hex');

/** The access key id that `file` keeps, because DynamoDB Local finds the data again only under the same id. */
export const keptAccessKeyId = (file: string): string => keptSecret(file, /^[0-9a-f]{20}$/, newAccessKeyId);
