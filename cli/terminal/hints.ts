import { worldPrefix } from '#local/world-folder.ts';
import { quoted } from '#shared/base/visible.ts';
import { programName } from './help.ts';

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
