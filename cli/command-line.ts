import { parseArgs } from 'node:util';
import { type Command, flag, type Option, type Options, optional, parseOptions, type Task } from './command.ts';
import { UsageError } from './failures.ts';
import { describeCommands } from './help.ts';
import { line } from './parameters.ts';

export type Invocation =
  | { kind: 'help'; text: string }
  | { kind: 'command'; task: Task; target: TargetOptions; json: boolean };

/** Where the command line says that the service is. */
export interface TargetOptions {
  local: boolean;
  table: string | undefined;
}

/** What every command takes besides its own options. */
const commonOptions = {
  local: flag('work on the local world, which must be running'),
  table: optional(line('NAME', 255), 'work on the deployment with this table (or set TABLE_NAME)'),
  json: flag('print one JSON value instead of text'),
} satisfies Options;

/** Reads what follows `admin`. Throws a {@link UsageError}. */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): Invocation {
  const [noun, verb, ...rest] = words.filter((word) => !isHelp(word));
  const named = choose(commands, noun, verb);
  if (words.length === 0 || words.some(isHelp)) {
    return { kind: 'help', text: describeCommands(named, commonOptions) };
  }
  const [command] = named;
  if (command === undefined || verb === undefined) {
    throw new UsageError(`${noun} needs a verb: ${named.map((each) => each.verb).join(', ')}.`);
  }
  const { positionals, values } = split(rest, { ...command.options, ...commonOptions });
  const { json, ...target } = parseOptions(commonOptions, values);
  return { kind: 'command', task: command.prepare({ arguments: positionals, options: values }), target, json };
}

const isHelp = (word: string) => word === '--help' || word === '-h';

/** The commands with this noun and verb; all of them where one is not given. */
function choose(commands: readonly Command[], noun: string | undefined, verb: string | undefined): readonly Command[] {
  if (noun === undefined) return commands;
  if (noun.startsWith('-')) throw new UsageError(`The noun and the verb come first, then ${noun}.`);
  const ofNoun = commands.filter((command) => command.noun === noun);
  if (ofNoun.length === 0) {
    const nouns = [...new Set(commands.map((command) => command.noun))];
    throw new UsageError(`There is no ${JSON.stringify(noun)} here, but ${nouns.join(', ')}.`);
  }
  if (verb === undefined) return ofNoun;
  const chosen = ofNoun.filter((command) => command.verb === verb);
  if (chosen.length === 0) {
    const verbs = ofNoun.map((command) => command.verb);
    throw new UsageError(`${noun} has no verb ${JSON.stringify(verb)}, but ${verbs.join(', ')}.`);
  }
  return chosen;
}

function split(words: string[], options: Options) {
  const { tokens, ...parsed } = parse(words, options);
  const names = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice.`);
  return parsed;
}

function parse(words: string[], options: Options) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      tokens: true,
      options: Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { type: typeOf(option) }])),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node goes on to explain how to quote a dash, which is seldom what went wrong.
    const [complaint] = error.message.split(/\.?\sTo specify/);
    throw new UsageError(complaint ?? error.message);
  }
}

const typeOf = (option: Option) => ('parameter' in option ? 'string' : 'boolean');
