import { worldPrefix } from '#local/world-folder.ts';
import { MissingAccessToken } from '#shared/accounts/credentials-store.ts';
import { MalformedCredentials } from '#shared/aws/versioned-secret.ts';
import { quoted } from '#shared/base/text.ts';
import { Rejection } from './errors.ts';

/** How people start the command line. */
export const programName = './messaging';

/** The options of every command that works on a service. */
export interface CommonOptions {
  local?: true;
  live?: true;
  stage?: string;
  table?: string;
  json?: true;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Writes a command as people can paste it, for the service on which they work: the values are quoted, and the option
 * that names the service follows. In a message, a command stands at the end.
 */
export type Hint = (words: TemplateStringsArray, ...values: readonly (string | number)[]) => string;

/** @param options those of the command that the user gave */
export function hintsFor({ local, live, stage, table }: CommonOptions, environment: Environment = process.env): Hint {
  const prefix = local || live ? worldPrefix(environment) : '';
  const service = [
    ...(local ? ['--local'] : []),
    ...(live ? ['--live'] : []),
    ...(stage === undefined ? [] : ['--stage', quoted(stage)]),
    ...(table === undefined ? [] : ['--table', quoted(table)]),
  ];
  return (words, ...values) => {
    const command = String.raw({ raw: words }, ...values.map((value) => quoted(String(value))));
    return prefix + [programName, command, ...service].join(' ');
  };
}

/** The command that starts a world in the folder that the environment names. */
export const startCommand = ({ live }: { live?: boolean }, environment: Environment = process.env): string =>
  `${worldPrefix(environment)}${live ? `${programName} start --live` : 'npm start'}`;

/** The options of `upstream set`. */
export interface SetOptions {
  unchecked?: boolean | undefined;
  dropFormer?: boolean | undefined;
  generateVerifyToken?: boolean | undefined;
  showVerifyToken?: boolean | undefined;
}

/** The command that stores credentials of the deployment, or of a workspace. */
export function setCommand(hint: Hint, workspace: string | undefined, options: SetOptions = {}): string {
  const command = workspace === undefined ? hint`upstream set` : hint`upstream set --workspace ${workspace}`;
  const generate = options.generateVerifyToken ? ' --generate-verify-token' : '';
  return `${command}${generate}${options.dropFormer ? ' --drop-former' : ''}`;
}

/** Adds to the error of missing or malformed credentials the command that stores them. Leaves any other error as it is. */
export function withRepair(error: unknown, hint: Hint): unknown {
  if (error instanceof MalformedCredentials) {
    return new Rejection(`${error.message}. To store the credentials anew: ${setCommand(hint, error.workspace)}`);
  }
  if (error instanceof MissingAccessToken) {
    return new Rejection(`No access token is stored. Store it: ${setCommand(hint, error.workspace)}`);
  }
  return error;
}
