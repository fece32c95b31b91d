import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The text in `file`, which only its owner may read. Unless it has the right form, `create` makes a new one. */
export function keptSecret(file: string, form: RegExp, create: () => string): string {
  const kept = readIfExists(file);
  if (form.test(kept)) return kept;
  const text = create();
  mkdirSync(dirname(file), { recursive: true });
  // A process that is killed here leaves a complete text or none.
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return text;
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
