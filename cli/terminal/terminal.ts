import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { visible } from '#shared/base/text.ts';
import { Interrupted, UsageError } from './errors.ts';

/** The person, or the script, in front of a command that takes a while. */
export interface Terminal {
  /** Whether a person can type. */
  isInteractive: boolean;
  /** Shows a line at once. */
  say(line: string): void;
  /**
   * Asks for a line and does not show what is typed. A script gives it on standard input.
   *
   * @throws Interrupted after Ctrl-C or Ctrl-D
   */
  askSecret(question: string): Promise<string>;
}

/** The terminal of this process. With `json`, standard output has only the result, so lines go to standard error. */
export function processTerminal(json: boolean): Terminal & { readInput(): Promise<string> } {
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  /** Lines that were pasted together with an earlier one. */
  const ahead: string[] = [];

  async function askHidden(question: string): Promise<string> {
    const pasted = ahead.shift();
    if (pasted === undefined) return (await readHidden(question, ahead)).trim();
    process.stderr.write(`${question}\n`);
    return pasted.trim();
  }

  return {
    isInteractive,
    say: (line) => (json ? console.error(visible(line)) : console.log(visible(line))),
    askSecret: (question) => (isInteractive ? askHidden(question) : fromScript(readFirstLine)),
    readInput: () => fromScript(() => text(process.stdin)),
  };
}

/** Reads standard input, but not what somebody types while the questions go elsewhere: the terminal would show it. */
async function fromScript(read: () => Promise<string>): Promise<string> {
  if (process.stdin.isTTY === true) {
    throw new UsageError(
      'Secrets are asked for on standard error, which is not the terminal. Run the command without redirecting it.',
    );
  }
  return read();
}

/**
 * Asks for a line at the terminal. Readline shows what is typed on its output, so that leads nowhere. It also keeps the
 * terminal itself from showing it, so it starts before the question appears.
 */
async function readHidden(question: string, ahead: string[]): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  terminal.on('line', (line) => ahead.push(line));
  process.stderr.write(question);
  try {
    return await terminal.question('');
  } catch (error) {
    throw isAbort(error) ? new Interrupted() : error;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/**
 * Asks a person at the terminal a question, on standard error. Ctrl-D means no.
 *
 * @throws Interrupted after Ctrl-C
 */
export async function confirms(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { promise: end, resolve, reject } = Promise.withResolvers<string>();
  terminal.once('SIGINT', () => reject(new Interrupted())).once('close', () => resolve('no'));
  try {
    return /^\s*y(es)?\s*$/i.test(await Promise.race([terminal.question(visible(question)), end]));
  } catch (error) {
    if (isAbort(error)) return false;
    throw error;
  } finally {
    terminal.close();
  }
}

/** What readline rejects a question with after Ctrl-C or Ctrl-D. */
const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
  }
}
