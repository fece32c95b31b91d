import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Gives a program a terminal. That of other systems takes other options. */
const script = '/usr/bin/script';

const program = `
import { processTerminal } from '${pathToFileURL(join(import.meta.dirname, 'terminal.ts'))}';
const { askSecret } = processTerminal(false);
try {
  const [one, two] = [await askSecret('One: '), await askSecret('Two: ')];
  console.log('lengths ' + one.length + ' ' + two.length);
} catch (error) {
  console.log('thrown ' + error.name);
}`;

const confirming = `
import { confirms } from '${pathToFileURL(join(import.meta.dirname, 'terminal.ts'))}';
try {
  console.log('confirmed: ' + (await confirms('Sure? ')));
} catch (error) {
  console.log('thrown ' + error.name);
}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminal-'));
  await writeFile(join(folder, 'ask.mjs'), program);
  await writeFile(join(folder, 'confirm.mjs'), confirming);
});
afterAll(() => rm(folder, { recursive: true }));

/** Types each text when its question appears, and returns what the terminal showed. */
const atTerminal = (...typed: Typed[]) => runAtTerminal('ask.mjs', typed);

type Typed = [question: string, text: string];

function runAtTerminal(words: string, typed: Typed[]): Promise<string> {
  return new Promise((resolve) => {
    const { NODE_COMPILE_CACHE } = process.env;
    const command = `${process.execPath} ${join(folder, words)}`;
    const child = spawn(script, ['-qec', command, '/dev/null'], {
      env: { NODE_COMPILE_CACHE },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [next] = typed;
      if (next === undefined || !output.includes(next[0])) return;
      typed.shift();
      child.stdin.write(next[1]);
    });
    child.on('close', () => resolve(output));
  });
}

const hasTerminal = process.platform === 'linux' && existsSync(script);

describe.skipIf(!hasTerminal)('a question for a secret at a terminal', () => {
  it('does not show what is typed, also after corrections', async () => {
    const output = await atTerminal(['One: ', 'canaryX\u007f\r'], ['Two: ', 'canary22\r']);
    expect(output).toContain('lengths 6 8');
    expect(output).not.toMatch(/can|X|22/);
  });

  it('takes several lines that are pasted together', async () => {
    const output = await atTerminal(['One: ', 'canary\rcanary22\r']);
    expect(output).toContain('lengths 6 8');
    expect(output).not.toContain('can');
  });

  it('is not asked where nobody would see it, because the terminal would show what is typed', async () => {
    expect(await runAtTerminal('ask.mjs 2>/dev/null', [])).toContain('thrown UsageError');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('ends with %s', async (_, key) => {
    expect(await atTerminal(['One: ', key])).toMatch(/One: \r?\nthrown Interrupted/);
  });
});

describe.skipIf(!hasTerminal)('a question for a confirmation at a terminal', () => {
  it.each([
    ['y', 'y\r', 'confirmed: true'],
    ['anything else', 'yep\r', 'confirmed: false'],
    ['Ctrl-C', '\u0003', 'thrown Interrupted'],
    ['Ctrl-D', '\u0004', 'confirmed: false'],
  ])('takes %s', async (_, typed, expected) => {
    expect(await runAtTerminal('confirm.mjs', [['Sure? ', typed]])).toContain(expected);
  });
});
