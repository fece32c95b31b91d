import type { CommandUnknownOpts, HelpConfiguration } from '@commander-js/extra-typings';

/** How people start the command line. */
export const programName = './messaging';

/** Help lists every command with its arguments, and a command's usage names its options and marks the optional ones. */
export const helpConfiguration: HelpConfiguration = {
  visibleCommands: leaves,
  subcommandTerm: (command) => words(command).join(' '),
  commandUsage: (command) => `${programName} ${isLeaf(command) ? synopsis(command) : command.usage()}`,
};

/** The commands that do something: all below a group, or the command itself. */
export function leaves({ commands }: Pick<CommandUnknownOpts, 'commands'>): CommandUnknownOpts[] {
  return commands.flatMap((child) => (isLeaf(child) ? child : leaves(child)));
}

const isLeaf = ({ commands }: CommandUnknownOpts) => commands.length === 0;

function words(command: CommandUnknownOpts): string[] {
  const parents = command.parent?.parent ? [command.parent.name()] : [];
  const needed = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [...parents, command.name(), ...needed];
}

function synopsis(command: CommandUnknownOpts): string {
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [...words(command), ...options].join(' ');
}
