import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { settingNamed } from '../settings.ts';

/** What the files say that the CDK reads besides the command line. */
export interface ContextFiles {
  context: Record<string, unknown>;
  /** The file in which each entry stands. */
  places: Record<string, string>;
  problems: string[];
}

/** The files of the CDK's command line (`user-configuration.ts` of aws-cdk). A later one counts more. */
const filesIn = (home: string, project: string) => [
  { name: '~/.cdk.json', path: join(home, '.cdk.json'), isContext: false },
  { name: 'cdk.context.json', path: join(project, 'cdk.context.json'), isContext: true },
  { name: 'cdk.json', path: join(project, 'cdk.json'), isContext: false },
];

export function readContextFiles(
  environment: Readonly<Record<string, string | undefined>>,
  home = homedir(),
  project = root,
): ContextFiles {
  const read: ContextFiles = { context: {}, places: {}, problems: [] };
  for (const file of filesIn(home, project).filter(({ path }) => existsSync(path))) {
    try {
      addFile(file, environment, read);
    } catch (error) {
      read.problems.push(`${file.name} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }
  return read;
}

function addFile(
  { name, path, isContext }: ReturnType<typeof filesIn>[number],
  environment: Readonly<Record<string, string | undefined>>,
  { context, places, problems }: ContextFiles,
): void {
  const content = Object(JSON.parse(readFileSync(path, 'utf8')));
  if (!isContext) problems.push(...otherProfile(name, content.profile, environment.AWS_PROFILE));
  for (const [entry, value] of Object.entries(Object(isContext ? content : content.context))) {
    const setting = settingNamed(entry);
    // The CDK passes on both spellings, and then it would be given twice.
    if (setting !== undefined && setting !== entry) problems.push(`Write ${setting} instead of ${entry} in ${name}.`);
    context[entry] = value;
    places[entry] = name;
  }
}

/** The CDK would deploy to another account than the one that is checked. */
function otherProfile(name: string, profile: unknown, checked: string | undefined): string[] {
  if (profile === undefined || profile === checked) return [];
  return [`${name} has the profile ${profile}, which only the CDK reads. Set AWS_PROFILE=${profile}.`];
}
