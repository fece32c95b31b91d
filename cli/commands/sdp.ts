import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { findings } from '#shared/domain/calls/sdp-findings.ts';
import { findingTexts } from '#shared/http/calls/sdp-finding-texts.ts';
import { defineLocalCommand, flag } from '../command.ts';
import { UsageError } from '../failures.ts';
import { file } from '../parameters.ts';

export const sdpCommands = [
  defineLocalCommand({
    noun: 'sdp',
    verb: 'check',
    summary: 'Says what is wrong with the SDP of a call. Needs no service; exit code 1 when something is.',
    arguments: { file },
    options: { answer: flag('the SDP accepts a call; otherwise it starts one') },
    async run({ file, answer }) {
      const found = findings(await read(file), answer ? 'answer' : 'offer');
      return {
        value: found.map((finding) => ({ finding, meaning: findingTexts[finding].en })),
        hasFindings: found.length > 0,
      };
    },
  }),
];

/** Line breaks and all, as they are. */
async function read(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
}
