import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { valueNames, valueTitles } from '#cli/credentials/values.ts';
import type { WorldOptions } from '#local/world.ts';
import { type PageValues, pageCommands, withoutVolatile } from '../page-commands.ts';
import { newDataDir, startTestWorld, type TestWorld } from './world.ts';

const root = join(import.meta.dirname, '../..');

/** A world that commands find by its folder, as they find that of `npm start`. */
export async function startPageWorld(options: Partial<WorldOptions>) {
  const folder = await newDataDir();
  const dataDir = join(folder, 'data');
  const world: TestWorld = await startTestWorld({ ...options, dataDir });
  await writeFile(join(folder, 'world.json'), JSON.stringify(world.description));
  const { accessKeyId, secretAccessKey } = world.administrator;
  const lines = ['[local]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'aws-credentials'), lines.join('\n'));
  return {
    world,
    folder,
    async close() {
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The person who types the commands of a page. */
export interface Person {
  /** What they type, or paste, when a command asks. */
  input?: string;
  /** Writes to the number, when a command asks for it. */
  writeToNumber?: (displayPhoneNumber: string) => unknown;
}

/** The programs of the project behind `npm run`. A test calls them without npm, which takes longer than they do. */
const programs: Readonly<Record<string, string>> = {
  admin: 'cli/admin.ts',
  smoke: 'cli/smoke/smoke.ts',
};

/**
 * Runs a shell command of a page on the world of a folder, and returns all that it prints, as it would for a world in
 * the default folder.
 */
export async function runInShell(folder: string, command: string, { input = '', writeToNumber }: Person = {}) {
  const here = command
    .replace(
      /\bnpm run (?:--silent )?(\w+) --(?= )/g,
      (_, name) => `'${process.execPath}' '${join(root, programs[name] ?? '')}'`,
    )
    // At a terminal, it waits by itself.
    .replace(/ connect (?!.*--dry-run).*(?<= )--local$/, '$& --wait 300');
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env;
  const child = spawn('sh', ['-c', here], { env: { NODE_COMPILE_CACHE, PATH, LOCAL_DATA_DIR: folder }, cwd: root });
  let printed = '';
  let hasWritten = false;
  const hear = (data: Buffer) => {
    printed += data;
    const [, displayPhoneNumber] = /^Send a WhatsApp message to (.+) now\./m.exec(printed) ?? [];
    if (hasWritten || displayPhoneNumber === undefined) return;
    hasWritten = true;
    void writeToNumber?.(displayPhoneNumber);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  // A command that fails does not read what it is given.
  child.stdin.on('error', () => undefined).end(input);
  await new Promise((resolve) => child.once('close', resolve));
  return printed.replaceAll(`LOCAL_DATA_DIR=${folder} `, '');
}

/** What a person is asked for when they store credentials. Scripts see no questions. */
export const credentialPrompts = valueNames.map(
  (name) => `${valueTitles[name]} (is not shown; empty: leave it as it is):`,
);

const prompts = [...credentialPrompts, 'PIN of two-step verification (six digits, not shown):'];

const withoutPrompts = (output: string) =>
  output
    .split('\n')
    .filter((line) => !prompts.includes(line))
    .join('\n');

/**
 * Runs the commands of a page in their order, and expects what the page says that they print. With SHOW_PAGE, it shows
 * what they print, to write the page.
 *
 * @param run runs a command, with the values of this run, and returns its output in the words of the page
 * @returns how many commands there were
 */
export async function expectOutputs(page: string, values: PageValues, run: (command: string) => Promise<string>) {
  const commands = pageCommands(page);
  for (const { command, output } of commands) {
    const printed = await run(values.here(command));
    if (process.env.SHOW_PAGE) console.log(`@@\n$ ${command}\n##\n${printed}`);
    else expect(withoutVolatile(printed), command).toBe(withoutVolatile(withoutPrompts(output)));
    values.learn(withoutPrompts(output), printed);
  }
  return commands.length;
}
