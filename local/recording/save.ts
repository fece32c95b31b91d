import { writeFileSync } from 'node:fs';
import { Originals } from './ids.ts';
import { findLeaks } from './leaks.ts';
import { type Entry, isExchange, writeRecording } from './recording.ts';
import { redact } from './redact.ts';

/**
 * Redacts the entries and writes them to the file, without those in which a check still finds something of the
 * originals. Returns what to say about it, line by line.
 */
export function saveRecording(file: string, platform: string, entries: readonly Entry[]): string[] {
  const originals = new Originals();
  const redacted = redact(entries, originals);
  const leaks = Map.groupBy(findLeaks(redacted, originals), ({ entry }) => entry);
  const shown = redacted.filter((_, index) => !leaks.has(index));
  writeFileSync(file, writeRecording({ head: { recording: 1, platform: new URL(platform).hostname }, entries: shown }));
  return [
    `recorded ${countOf(shown.length)} in ${file}`,
    ...(leaks.size === 0
      ? []
      : [`left out ${countOf(leaks.size)}, which would still have shown what the rules replace elsewhere:`]),
    ...[...leaks].map(([index, places]) => {
      const kind = redacted[index] && isExchange(redacted[index]) ? 'request' : 'event';
      const where = places.map(({ place }) => place).join(', ');
      return `  ${kind} ${(index + 1).toLocaleString('en-US')} of ${entries.length.toLocaleString('en-US')}: ${where}`;
    }),
    ...(leaks.size === 0 ? [] : ['The rules are in local/recording/rules.ts.']),
  ];
}

/** A number of requests and events. */
export const countOf = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'entry' : 'entries'}`;
