import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand, shellWords } from '#support/command-line.ts';

import { type CommonOptions, hintsFor } from './hints.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const id = '0198a000-0000-7000-8000-000000000001';

/** What stands for a value that only the reader knows, and a value of its kind. */
const placeholders: Readonly<Record<string, string>> = {
  ...{ WORKSPACE: id, USER: id, NUMBER: id, ID: '1', TOKEN: '0123456789abcdef', CONTACT: '15550100999', WABA_ID: '1' },
  ...{ FILE: 'file', NAME: 'name', TABLE: 'table', URL: 'https://example.com', STAGE: 'prod' },
};

async function parses(commandLine: string): Promise<boolean> {
  const words = shellWords(commandLine).map((word) => placeholders[word.replace(/^\$/, '')] ?? word);
  const { options, help } = await parseCommand(...words);
  return options !== undefined || help !== undefined;
}

/** The hints in the source, with an id for each value. */
const hintsInCode = globSync('cli/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((file) =>
  Array.from(read(file).matchAll(/\bhint`([^`]*)`/g), ([, words = '']) => ({
    file,
    command: words
      .replace(/(-id|--display-phone-number) \S+/g, '$1 1')
      .replace(/--callback \S+/, '--callback app')
      .replace(/\$\{[^}]*\}/g, id),
  })),
);

/** The commands in the docs, up to the end of the line, of the code or of the cell. Three dots stand for any command. */
const commandsInDocs = globSync(['*.md', '{docs,bench}/**/*.md'], { cwd: root }).flatMap((file) =>
  Array.from(read(file).matchAll(/(?<!\w)\.\/messaging\s+((?:'[^']*'|"[^"]*"|[^`|#>\n])*)/g), ([, words = '']) => ({
    file,
    command: words.trim(),
  })).filter(({ command }) => !command.includes('…')),
);

describe('a hint', () => {
  it('names the service as the user did, and quotes values', () => {
    const words = (options: CommonOptions) => hintsFor(options)`user rename ${id} --name ${"Ana's"}`;
    expect(words({ local: true, json: true })).toBe(`./messaging user rename ${id} --name 'Ana'\\''s' --local`);
    expect(words({ stage: 'prod', table: 'messages-1' })).toMatch(/ --stage prod --table messages-1$/);
    expect(words({ stage: 'prod' })).toMatch(/ --stage prod$/);
    expect(words({ live: true })).toMatch(/ --live$/);
    expect(words({})).toMatch(/--name 'Ana'\\''s'$/);
    expect(shellWords(words({})).at(-1)).toBe("Ana's");
  });

  it('finds a world on this machine in its data folder from every terminal', () => {
    const hint = (options: CommonOptions, folder: string) => hintsFor(options, { LOCAL_DATA_DIR: folder })`user list`;
    expect(hint({ live: true }, '/my data')).toBe("LOCAL_DATA_DIR='/my data' ./messaging user list --live");
    expect(hint({ local: true }, 'below')).toBe(
      `LOCAL_DATA_DIR=${join(process.cwd(), 'below')} ./messaging user list --local`,
    );
    expect(hint({ live: true }, '')).toBe('./messaging user list --live');
    expect(hint({ stage: 'prod' }, '/my data')).toBe('./messaging user list --stage prod');
  });

  it('is found in the source', () => expect(hintsInCode.length).toBeGreaterThan(10));

  it.each(hintsInCode)('is a command of the program: $command ($file)', async ({ command }) => {
    expect(await parses(`${command} --local`)).toBe(true);
  });
});

it('texts of the command line name commands only as hints', () => {
  const bare =
    /["'`:(] ?(workspace|member|user|number|token|key) (list|show|create|add|remove|delete|rotate|register|check) /;
  const texts = globSync('cli/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => bare.test(line) && !line.includes('hint`'))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(texts).toEqual([]);
});

describe('a command in the docs', () => {
  it('is found', () => expect(commandsInDocs.length).toBeGreaterThan(10));

  it.each(commandsInDocs)('is a command of the program: $command ($file)', async ({ command }) => {
    expect(await parses(command)).toBe(true);
  });
});
