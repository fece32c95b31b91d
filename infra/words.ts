import { nearestName } from '#shared/base/nearest-name.ts';
import { settingNamed, settingNames } from './settings.ts';

/** What a command line asks for. */
export interface ReadWords {
  /** The settings as they are written, unchecked: entries of a CDK context. */
  context: Record<string, string>;
  /** The flags that are given. */
  flags: Set<string>;
  /** What is wrong, a sentence for each. */
  problems: string[];
}

/**
 * Reads settings in any of their spellings, `--alarm-email value`, `--alarmEmail=value` and `-c alarmEmail=value`, and
 * the flags of a command. Nothing that it does not know is left out: it is a problem.
 *
 * @param environment tells what npm took for options of its own, because there was no `--` before them
 */
export function readWords(
  words: readonly string[],
  flagNames: readonly string[] = [],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ReadWords {
  const read: ReadWords = { context: {}, flags: new Set(), problems: swallowedByNpm(environment) };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) readWord(word, rest, flagNames, read);
  return read;
}

function readWord(word: string, rest: string[], flagNames: readonly string[], read: ReadWords): void {
  const [, dashes, name = '', value] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (dashes === undefined) {
    read.problems.push(`"${word}" is not an option. Options begin with --.`);
  } else if (name === 'c' || name === 'context') {
    addPair(value ?? rest.shift(), read);
  } else if (flagNames.includes(name) && value === undefined) {
    read.flags.add(name);
  } else if (flagNames.includes(name)) {
    read.problems.push(`${dashes}${name} takes no value.`);
  } else if (dashes === '--' && settingNamed(name)) {
    add(name, value ?? takeValue(rest), read);
  } else {
    read.problems.push(unknownOption(dashes + name, flagNames));
    if (value === undefined) takeValue(rest);
  }
}

/** Takes the next word, unless it is an option. */
const takeValue = (rest: string[]) => (rest[0]?.startsWith('-') ? undefined : rest.shift());

function add(name: string, value: string | undefined, { context, problems }: ReadWords): void {
  if (value === undefined || value === '') problems.push(`--${name} needs a value.`);
  else if (Object.hasOwn(context, name)) problems.push(`--${name} is given twice.`);
  else context[name] = value;
}

function addPair(pair: string | undefined, read: ReadWords): void {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair ?? '') ?? [];
  if (name === undefined || value === undefined) read.problems.push(`-c takes name=value, not "${pair ?? ''}".`);
  else if (Object.hasOwn(read.context, name)) read.problems.push(`-c ${name}=… is given twice.`);
  else read.context[name] = value;
}

function unknownOption(option: string, flagNames: readonly string[]): string {
  const options = [...settingNames, ...flagNames];
  const nearest = nearestName(option.replace(/^-+/, ''), options);
  const hint =
    nearest === undefined ? `There are ${options.map(dashed).join(', ')}.` : `Did you mean ${dashed(nearest)}?`;
  return `There is no option ${option}. ${hint}`;
}

/** `--alarm-email` of `alarmEmail`. */
export const dashed = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** npm takes `--stage` for its own unless `--` stands before it, and tells scripts so in their environment. */
function swallowedByNpm(environment: Readonly<Record<string, string | undefined>>): string[] {
  const swallowed = settingNames
    .map(dashed)
    .filter((option) => environment[`npm_config_${option.slice(2).replaceAll('-', '_')}`] !== undefined);
  // Of the flags, npm reports only this one in such a way that nothing else can be meant.
  if (environment.npm_config_dry_run === 'true') swallowed.push('--dry-run');
  return swallowed.map(
    (option) => `npm took ${option} for an option of its own. Put -- before the options: npm run … -- ${option} …`,
  );
}
