import type { Command } from './command.ts';
import { keyCommands } from './commands/key.ts';
import { memberCommands } from './commands/member.ts';
import { numberCommands } from './commands/number.ts';
import { sdpCommands } from './commands/sdp.ts';
import { tokenCommands } from './commands/token.ts';
import { userCommands } from './commands/user.ts';
import { workspaceCommands } from './commands/workspace.ts';

/** Every command of the admin command line, in the order of its help. */
export const commands: readonly Command[] = [
  ...workspaceCommands,
  ...memberCommands,
  ...userCommands,
  ...numberCommands,
  ...tokenCommands,
  ...keyCommands,
  ...sdpCommands,
];
