import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomText } from '../base/random-text.ts';

/** A random access key id that DynamoDB Local takes: letters and digits. */
export const newAccessKeyId = (): string => randomText(10, 'hex');

/** The access key id that `file` keeps, because DynamoDB Local finds the data again only under the same id. */
export function keptAccessKeyId(file: string): string {
  const kept = readIfExists(file);
  if (/^[0-9a-f]{20}$/.test(kept)) return kept;
  const id = newAccessKeyId();
  mkdirSync(dirname(file), { recursive: true });
  // Whoever is killed here leaves a whole id or none.
  writeFileSync(`${file}.new`, id, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return id;
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
