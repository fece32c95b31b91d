/** `npm run conform -- FILE [--json]`: compares the simulated platform with a recording of another one. */
import { readFileSync } from 'node:fs';
import { readArguments } from '../command-line.ts';
import { RecordingError, readRecording } from '../recording/recording.ts';
import { conform } from './conform.ts';
import { describeConformity } from './report.ts';

const usage = `Usage: npm run conform -- FILE [--json]

Says where the simulated platform differs from a recording of another one.
Exit codes: 0 it conforms, 1 it differs, 2 nothing could be compared.`;
const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: { json: { type: 'boolean' } },
});

try {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new RecordingError('Give one recording: npm run conform -- FILE');
  const recording = readRecording(contentOf(file));
  if (recording.entries.length === 0) throw new RecordingError(`${file} has nothing to compare, only its first line.`);
  const result = await conform(recording);
  console.log(values.json ? JSON.stringify(result, null, 2) : describeConformity(result));
  process.exitCode = result.mismatches.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new RecordingError(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${error}`);
  }
}
