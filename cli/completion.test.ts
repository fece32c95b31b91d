import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCommand } from '#support/command-line.ts';
import { type Shell, shells } from './completion.ts';
import { createProgram, leaves } from './program.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  for (const shell of shells) {
    writeFileSync(join(folder, shell), (await parseCommand('completion', shell)).help ?? '');
  }
  writeFileSync(join(folder, 'offer.sdp'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** How to load a script without a terminal, and to complete the last of some words. */
const programs: Readonly<Record<Shell, (words: readonly string[]) => string>> = {
  bash: (words) => `
    source ./bash
    COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}
    _messaging; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) => `
    compdef() { true }
    compadd() {
      local none=1
      shift
      for word in "$@"; do [[ $word == \${words[CURRENT]}* ]] && print -- $word && none=0; done
      return $none
    }
    _files() { print -l -- \${words[CURRENT]}*(N) }
    source ./zsh
    words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}
    _messaging`,
  fish: (words) => `source ./fish; complete -C ${quoted(words.join(' '))}`,
};

const quoted = (word: string) => `'${word}'`;

const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;

describe.each(shells.filter(isInstalled))('the script for %s', (shell) => {
  /** The proposals for the last word. */
  const complete = (line: string) => {
    const args = { bash: ['--norc', '-c'], zsh: ['-f', '-c'], fish: ['--no-config', '-c'] }[shell];
    const env = { ...process.env, HOME: folder };
    const output = execFileSync(shell, [...args, programs[shell](line.split(' '))], { cwd: folder, env });
    return String(output)
      .split('\n')
      .map((text) => text.replace(/\t.*/, '').trim())
      .filter((word) => word !== '');
  };

  it.each([
    ['the noun', './messaging wo', ['workspace']],
    ['a command by its path', '/project/messaging nu', ['number']],
    ['the verb', './messaging number de', ['deactivate', 'delete']],
    ['an option', './messaging number delete ID --d', ['--dry-run']],
    ['a value that has few choices', './messaging number calling ID of', ['off']],
    ['the value of an option that has few choices', './messaging connect ID --callback a', ['account', 'app']],
  ])('completes %s', (_, line, expected) => {
    expect(complete(line).sort()).toEqual(expected);
  });

  // Bash does this by itself where the script proposes nothing.
  it.skipIf(shell === 'bash')('completes the name of a file', () => {
    expect(complete('./messaging sdp check off')).toEqual(['offer.sdp']);
  });

  it('completes every command of the program', async () => {
    const host = { onService: async () => {}, printText: () => {}, printError: () => {} };
    const program = await createProgram({ ...host, program: async () => {}, confirm: async () => undefined });
    expect(complete('./messaging ').sort()).toEqual(program.commands.map((group) => group.name()).sort());
    for (const { name, options } of leaves(program)
      .slice(0, 10)
      .map((command) => ({
        name: `${command.parent === program ? '' : `${command.parent?.name()} `}${command.name()}`,
        options: command.options.map(({ long }) => long),
      }))) {
      expect(complete(`./messaging ${name} --`).sort()).toEqual([...options, '--help'].sort());
    }
  });
});
