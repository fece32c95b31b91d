/** Commands with their output on a page: blocks of `console`, in which a line that begins with "$ " is a command. */
interface PageCommand {
  command: string;
  /** What the page says that the command prints. */
  output: string;
}

export const pageCommands = (page: string): PageCommand[] =>
  [...page.matchAll(/```console\n([\s\S]+?)```/g)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).slice(1).map(parseCommand),
  );

/** A line that ends with a backslash goes on in the next one. */
function parseCommand(text: string): PageCommand {
  const [, command = '', output = ''] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(text) ?? [];
  return { command, output: output.trimEnd() };
}

/** What differs from run to run: ids, tokens, times and lengths of time. */
const volatile =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?:msgs|whsec)_\w+|wamid\.[\w+/=]+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| UTC)|\b[\da-f]{64}\b|\d+ (?:second|minute)s?\b|\d+ ms\b/gm;

/** A text without what differs from run to run, to compare it. */
export const withoutVolatile = (text: string): string => text.replaceAll(volatile, '…').replace(/ +$/gm, '').trimEnd();

/** The values on a page, with those that a run has in their place. */
export class PageValues {
  readonly #actual: Map<string, string>;

  constructor(values: Readonly<Record<string, string>>) {
    this.#actual = new Map(Object.entries(values));
  }

  /** A text of the page as it is in this run. */
  here(text: string): string {
    return [...this.#actual].reduce((result, [page, actual]) => result.replaceAll(page, actual), text);
  }

  /** Remembers which value of the run stands for each one on the page. Both texts are equal without them. */
  learn(page: string, actual: string): void {
    const values = actual.match(volatile) ?? [];
    for (const [index, value] of (page.match(volatile) ?? []).entries()) {
      this.#actual.set(value, values[index] ?? value);
    }
  }
}
