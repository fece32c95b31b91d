import { resolve } from 'node:path';
import { programName } from './help.ts';
import { visibleLine } from './visible.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Writes a command as people can paste it, for the service on which they work: the values are quoted, and the option
 * that names the service follows. In a message, a command stands at the end.
 */
export type Hint = (words: TemplateStringsArray, ...values: readonly (string | number)[]) => string;

/** @param options those of the command that the user gave */
export function hintsFor(options: object, environment: Environment = process.env): Hint {
  const service = serviceWords(options);
  const prefix = servicePrefix(options, environment);
  return (words, ...values) => {
    const command = String.raw({ raw: words }, ...values.map((value) => quoted(String(value))));
    return prefix + [programName, command, ...service].join(' ');
  };
}

/** What stands in front of a command for the service that the options name. */
export const servicePrefix = (options: object, environment: Environment = process.env): string =>
  'local' in options || 'live' in options ? worldPrefix(environment) : '';

/**
 * What stands in front of a command for a world on this machine, so that the command finds it from every terminal:
 * `LOCAL_DATA_DIR=… `, or nothing if the world is in its default folder.
 */
export const worldPrefix = ({ LOCAL_DATA_DIR: folder }: Environment): string =>
  folder ? `LOCAL_DATA_DIR=${quoted(resolve(folder))} ` : '';

/** A whole command line as people can paste it. */
export const pasteable = (words: readonly string[]): string => [programName, ...words.map(quoted)].join(' ');

/** The options of `upstream set`. */
export interface SetOptions {
  unchecked?: boolean | undefined;
  dropFormer?: boolean | undefined;
  generateVerifyToken?: boolean | undefined;
  showVerifyToken?: boolean | undefined;
}

/** The command that stores credentials of the deployment, or of a workspace. */
export function setCommand(hint: Hint, workspace: string | undefined, options: SetOptions = {}): string {
  const words = [
    workspace === undefined ? hint`upstream set` : hint`upstream set --workspace ${workspace}`,
    ...(options.generateVerifyToken ? ['--generate-verify-token'] : []),
    ...(options.showVerifyToken ? ['--show-verify-token'] : []),
    ...(options.dropFormer ? ['--drop-former'] : []),
    ...(options.unchecked ? ['--unchecked'] : []),
  ];
  return words.join(' ');
}

/** The options that name a service: an option without a value, or with one. */
const serviceOptions: readonly string[] = ['local', 'live', 'stage', 'table'];

function serviceWords(options: object): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (!serviceOptions.includes(name)) return [];
    return value === true ? [`--${name}`] : [`--${name}`, quoted(String(value))];
  });
}

/** A word as a shell reads it back. What a terminal would obey is escaped as bash and zsh know it. */
export function quoted(word: string): string {
  const shown = visibleLine(word);
  if (shown !== word) return `$'${visibleLine(word.replace(/['\\]/g, '\\$&'))}'`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
