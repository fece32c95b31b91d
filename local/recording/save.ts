import { writeFileSync } from 'node:fs';
import { Originals } from './ids.ts';
import { LeakError } from './leak-error.ts';
import { findLeaks } from './leaks.ts';
import { type Entry, writeRecording } from './recording.ts';
import { redact } from './redact.ts';

/**
 * Redacts the entries and writes them to the file, unless a check finds something of the originals in the result.
 *
 * @throws LeakError that names the places
 */
export function saveRecording(file: string, platform: string, entries: readonly Entry[]): void {
  const originals = new Originals();
  const redacted = redact(entries, originals);
  const leaks = findLeaks(redacted, originals);
  if (leaks.length > 0) {
    const places = leaks.slice(0, 5).map(({ entry, place }) => `line ${entry + 2}: ${place}`);
    throw new LeakError(
      `${file} was not written, because it would have shown ${leaks.length} things that the rules replace elsewhere ` +
        `(${places.join('; ')}). The rules are in local/recording/rules.ts.`,
    );
  }
  writeFileSync(
    file,
    writeRecording({ head: { recording: 1, platform: new URL(platform).hostname }, entries: redacted }),
  );
}
