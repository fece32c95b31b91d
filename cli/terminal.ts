import { createInterface, type Interface } from 'node:readline/promises';

/** The person, or the script, in front of a command that takes a while. */
export interface Terminal {
  /** Whether a person can type. */
  isInteractive: boolean;
  /** Shows a line at once. */
  say(line: string): void;
  /** Asks for a line and does not show what is typed. A script gives it on standard input. */
  askSecret(question: string): Promise<string>;
}

/** The terminal of this process. With `json`, standard output has only the result, so lines go to standard error. */
export function processTerminal(json: boolean): Terminal {
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return {
    isInteractive,
    say: (line) => (json ? console.error(line) : console.log(line)),

    async askSecret(question) {
      const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: isInteractive });
      try {
        return await (isInteractive ? askHidden(terminal, question) : firstLine(terminal));
      } finally {
        terminal.close();
      }
    },
  };
}

async function askHidden(terminal: Interface, question: string): Promise<string> {
  process.stderr.write(question);
  // Readline writes what is typed to its output, and has no option for that.
  Reflect.set(terminal, '_writeToOutput', () => {});
  const line = await terminal.question('');
  process.stderr.write('\n');
  return line.trim();
}

async function firstLine(terminal: Interface): Promise<string> {
  for await (const line of terminal) return line.trim();
  return '';
}
