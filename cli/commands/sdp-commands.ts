import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from '@commander-js/extra-typings';
import type { Actions } from '../command-actions.ts';
import { UsageError } from '../terminal/errors.ts';
import { print } from '../terminal/render.ts';

export function addSdpCommands(root: Command, { program }: Actions): void {
  const group = root.command('sdp').description('Checks the SDP of calls.');

  group
    .command('check')
    .description('Lists the problems of an SDP, and hints. Needs no service; the exit code is 1 if there are problems.')
    .argument('<file>', 'the file with the SDP, or - for standard input')
    .option('--answer', 'the SDP accepts a call; without this option, it starts one')
    .option('--json', 'print one JSON value instead of text')
    .action(
      program(async (file, { answer = false, json }) => {
        const [{ findings, isHint }, { findingTexts }] = await Promise.all([
          import('#shared/calls/sdp-findings.ts'),
          import('#shared/calls/sdp-finding-texts.ts'),
        ]);
        const found = findings(await read(file), answer ? 'answer' : 'offer');
        const value = found.map((finding) => ({
          finding,
          meaning: `${isHint(finding) ? 'Hint: ' : ''}${findingTexts[finding].en}`,
        }));
        return print({ value, hasFindings: !found.every(isHint) }, json);
      }),
    );
}

/** The text with its line breaks unchanged, because the checks include them. */
async function read(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
}
