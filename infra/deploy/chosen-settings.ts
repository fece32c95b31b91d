import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { readSettings, type Settings, settingNames } from '../settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface ChosenSettings {
  settings: Settings;
  problems: string[];
  /** The settings that nobody typed. */
  notices: string[];
}

/** The files of the CDK's command line (`user-configuration.ts` of aws-cdk). A later one counts more. */
const filesIn = (home: string, project: string) => [
  { name: '~/.cdk.json', path: join(home, '.cdk.json'), isContext: false },
  { name: 'cdk.context.json', path: join(project, 'cdk.context.json'), isContext: true },
  { name: 'cdk.json', path: join(project, 'cdk.json'), isContext: false },
];

/** The settings that were typed, and those in the files that the CDK reads besides. A stage must be among them. */
export function chosenSettings(
  typed: Readonly<Record<string, string>>,
  environment: Environment,
  home = homedir(),
  project = root,
): ChosenSettings {
  const context: Record<string, unknown> = {};
  const places: Record<string, string> = {};
  const problems: string[] = [];
  for (const { name, path, isContext } of filesIn(home, project).filter((file) => existsSync(file.path))) {
    try {
      const content = Object(JSON.parse(readFileSync(path, 'utf8')));
      const entries = Object(isContext ? content : content.context);
      Object.assign(context, entries);
      for (const entry of Object.keys(entries)) places[entry] = name;
      if (!isContext) problems.push(...otherProfile(name, content.profile, environment.AWS_PROFILE));
    } catch (error) {
      problems.push(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }
  for (const name of Object.keys(typed)) delete places[name];
  const read = readSettings({ ...context, ...typed }, places);
  problems.push(...read.problems);
  if (context.stage === undefined && typed.stage === undefined) {
    problems.push('Which stage? Give --stage, such as --stage prod.');
  }
  const filed = settingNames.filter((name) => places[name] !== undefined);
  const notices = filed.map((name) => `The setting ${name} is ${context[name]} in ${places[name]}.`);
  return { settings: read.settings, problems, notices };
}

/** The CDK would deploy to another account than the one that is checked. */
function otherProfile(name: string, profile: unknown, checked: string | undefined): string[] {
  if (profile === undefined || profile === checked) return [];
  return [`${name} has the profile ${profile}, which only the CDK reads. Set AWS_PROFILE=${profile}.`];
}

/** The settings as words for the CDK's command line, which count more than its files. */
export const contextWords = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** What is wrong, a line for each. */
export const listed = (problems: readonly string[]): string => problems.map((problem) => `- ${problem}`).join('\n');
