import type { Hint } from '../hints.ts';

/** The options of `upstream set`. */
export interface SetOptions {
  unchecked?: boolean | undefined;
  dropFormer?: boolean | undefined;
  generateVerifyToken?: boolean | undefined;
}

/** The command that stores credentials of the deployment, or of a workspace. */
export function setCommand(hint: Hint, workspace: string | undefined, options: SetOptions = {}): string {
  const words = [
    workspace === undefined ? hint`upstream set` : hint`upstream set --workspace ${workspace}`,
    ...(options.generateVerifyToken ? ['--generate-verify-token'] : []),
    ...(options.dropFormer ? ['--drop-former'] : []),
    ...(options.unchecked ? ['--unchecked'] : []),
  ];
  return words.join(' ');
}
