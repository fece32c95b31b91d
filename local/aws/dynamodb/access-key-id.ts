import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomText } from '../base/random-text.ts';

/** A random access key id that DynamoDB Local takes: letters and digits. */
export const newAccessKeyId = (): string => randomText(10, 'hex');

/** The access key id that `file` keeps, because DynamoDB Local finds the data again only under the same id. */
export function keptAccessKeyId(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const id = newAccessKeyId();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, id, { mode: 0o600 });
    return id;
  }
}
