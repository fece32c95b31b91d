import cdkJson from '../../cdk.json' with { type: 'json' };
import { readSettings, type Settings, settingNames } from '../settings.ts';
import { dashed, readWords } from '../words.ts';

export interface CommandLine {
  /** The valid settings, those of `cdk.json` included. */
  settings: Settings;
  flags: ReadonlySet<string>;
  problems: string[];
}

/** Reads the command line of a command that works on a stage, which must be named. */
export function readCommandLine(
  words: readonly string[],
  flagNames: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { context, flags, problems } = readWords(words, flagNames, environment);
  const read = readSettings({ ...cdkJson.context, ...context });
  const all = [...problems, ...read.problems];
  const isNamed = Object.hasOwn(context, 'stage') || Object.hasOwn(cdkJson.context, 'stage');
  if (!isNamed) all.push('Which stage? Give --stage, such as --stage prod.');
  return { settings: read.settings, flags, problems: all };
}

/** The settings as words for the CDK's command line. */
export const contextWords = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** The settings, for the help. */
export const settingWords = settingNames.map((name) => `  ${dashed(name)} …`).join('\n');

/** What is wrong, a line for each. */
export function listed(problems: readonly string[]): string {
  return problems.map((problem) => `- ${problem}`).join('\n');
}
