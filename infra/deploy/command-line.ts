import { readSettings, type Settings, settingNamed, settingNames } from '../settings.ts';
import { dashed, readWords } from '../words.ts';
import { readContextFiles } from './context-files.ts';

export interface CommandLine {
  /** The valid settings, those of the CDK's files included. */
  settings: Settings;
  flags: ReadonlySet<string>;
  problems: string[];
  /** The settings that nobody typed. */
  notices: string[];
}

/** Reads the command line of a command that works on a stage, which must be named, and the files of the CDK. */
export function readCommandLine(
  words: readonly string[],
  flagNames: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { context: typed, flags, problems } = readWords(words, flagNames, environment);
  const files = readContextFiles(environment);
  const ofWords = new Set<string | undefined>(Object.keys(typed).map(settingNamed));
  const filed = Object.entries(files.context).filter(([name]) => !ofWords.has(settingNamed(name) ?? name));
  const context = { ...Object.fromEntries(filed), ...typed };
  const read = readSettings(context, files.places);
  const all = [...problems, ...files.problems, ...read.problems];
  if (!Object.hasOwn(context, 'stage')) all.push('Which stage? Give --stage, such as --stage prod.');
  const notices = filed
    .filter(([name]) => settingNamed(name) !== undefined)
    .map(([name, value]) => `The setting ${name} is ${value} in ${files.places[name]}.`);
  return { settings: read.settings, flags, problems: all, notices };
}

/** The settings as words for the CDK's command line, which count more than its files. */
export const contextWords = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** The settings, for the help. */
export const settingWords = settingNames
  .filter((name) => name !== 'samLocal')
  .map((name) => `  ${dashed(name)} …`)
  .join('\n');

/** What is wrong, a line for each. */
export function listed(problems: readonly string[]): string {
  return problems.map((problem) => `- ${problem}`).join('\n');
}
