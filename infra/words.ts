import { describeTaken, takenByNpm } from '#shared/base/taken-by-npm.ts';
import { settingNamed, settingNames, unknownSetting } from './settings.ts';

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
  const options = [...settingNames.map(hyphenated), ...flagNames, 'dry-run', 'c', 'context', ...Object.keys(ofAws)];
  const taken = takenByNpm(options, environment);
  const problems = taken.length === 0 ? [] : [describeTaken(taken, 'npm run … --')];
  const read: ReadWords = { context: {}, flags: new Set(), problems };
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
  else if (settingNamed(name) === undefined) read.problems.push(unknownSetting(name));
  else if (Object.hasOwn(read.context, name)) read.problems.push(`-c ${name}=… is given twice.`);
  else read.context[name] = value;
}

/** What the tools of AWS have as options, with the variables that say the same here. */
const ofAws: Readonly<Record<string, string>> = { profile: 'AWS_PROFILE', region: 'AWS_REGION' };

function unknownOption(option: string, flagNames: readonly string[]): string {
  const name = option.replace(/^-+/, '');
  if (Object.hasOwn(ofAws, name)) return `There is no option ${option}. Set ${ofAws[name]} instead.`;
  return `There is no option ${option}. There are ${[...settingNames, ...flagNames].map(dashed).join(', ')}.`;
}

const hyphenated = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `--alarm-email` of `alarmEmail`. */
export const dashed = (name: string): string => `--${hyphenated(name)}`;
