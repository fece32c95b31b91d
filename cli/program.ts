import { Command, CommanderError, type CommandUnknownOpts, type HelpConfiguration } from '@commander-js/extra-typings';
import { visible } from '#shared/base/text.ts';
import { type Actions, actionsOn, type Host } from './command-actions.ts';
import { programName } from './terminal/hints.ts';
import { line, stage } from './terminal/parameters.ts';
import { versionLine } from './version-line.ts';

/**
 * Adds a command, or a noun with its commands, to the program.
 *
 * @param whole makes the program with all its commands
 */
type Add = (program: Command, actions: Actions, whole: () => Promise<Command>) => void;

/*
 * Each command with what loads it: loading all of them takes longer than what most of them do.
 */

/** Those that are programs of their own. */
const programs: Readonly<Record<string, () => Promise<Add>>> = {
  start: async () => (await import('./commands/programs.ts')).addStartCommand,
  receive: async () => (await import('./commands/programs.ts')).addReceiveCommand,
  tail: async () => (await import('./commands/programs.ts')).addTailCommand,
  deploy: async () => (await import('./commands/programs.ts')).addDeployCommand,
  destroy: async () => (await import('./commands/programs.ts')).addDestroyCommand,
  sdp: async () => (await import('./commands/sdp-commands.ts')).addSdpCommands,
  completion: async () => (await import('./completion.ts')).addCompletionCommands,
};

/** Those that work on a service and have the options that name it. */
const serviceCommands: Readonly<Record<string, () => Promise<Add>>> = {
  doctor: async () => (await import('./commands/doctor-command.ts')).addDoctorCommand,
  smoke: async () => (await import('./commands/smoke-command.ts')).addSmokeCommand,
  connect: async () => (await import('./commands/connect-command.ts')).addConnectCommand,
  workspace: async () => (await import('./commands/workspace-commands.ts')).addWorkspaceCommands,
  member: async () => (await import('./commands/workspace-commands.ts')).addMemberCommands,
  user: async () => (await import('./commands/user-commands.ts')).addUserCommands,
  number: async () => (await import('./commands/number-commands.ts')).addNumberCommands,
  token: async () => (await import('./commands/user-commands.ts')).addTokenCommands,
  upstream: async () => (await import('./commands/upstream-commands.ts')).addUpstreamCommands,
  key: async () => (await import('./commands/key-commands.ts')).addKeyCommands,
  contact: async () => (await import('./commands/contact-commands.ts')).addContactCommands,
};

/** Runs the command that `words` name. Rejects with a {@link CommanderError} if they are not a valid command line. */
export async function runCommandLine(words: readonly string[], host: Host): Promise<void> {
  if (words[0] === '--version' || words[0] === '-V') return host.printText(`${await versionLine()}\n`);
  const program = await createProgram(host, words);
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    if (!isHelp) throw error;
  }
}

/**
 * Declares the command that the words begin with, or all of them if they begin with none. A program remembers what it
 * parsed, so each command line needs a new one.
 */
export async function createProgram(host: Host, [word = '']: readonly string[] = []): Promise<Command> {
  const program = new Command(programName)
    .usage('<command> [arguments] [options]')
    .description('Runs the service on this machine, deploys it, and manages workspaces and what belongs to them.')
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .option('-V, --version', 'show the versions of the project and of Node')
    .configureHelp(helpConfiguration)
    .showHelpAfterError('To see how a command is used, add --help.')
    .configureOutput({
      writeOut: host.printText,
      writeErr: host.printError,
      outputError: (text, write) => write(visible(withoutValues(text))),
    })
    .exitOverride();
  const actions = actionsOn(host);
  const all = Object.entries({ ...programs, ...serviceCommands });
  const named = all.filter(([name]) => name === word);
  const adds = await Promise.all((named.length > 0 ? named : all).map(([, load]) => load()));
  for (const add of adds) add(program, actions, () => createProgram(host));
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  for (const group of groups) group.usage(`${group.name()} <verb> [arguments] [options]`);
  for (const group of [program, ...groups]) group.addHelpText('after', groupHelp);
  const onService = program.commands.filter((command) => Object.hasOwn(serviceCommands, command.name()));
  for (const command of leaves({ commands: onService })) {
    command
      .optionsGroup('Options of every command:')
      .option('--local', 'work on the local world, which must be running')
      .option('--live', 'work on the live world, which must be running')
      .option('--stage <stage>', 'work on the deployment of this stage, such as prod', stage)
      .option('--table <name>', 'work on this table in place of that of the stage, such as a restored one', line(255))
      .option('--json', 'print one JSON value instead of text')
      .helpOption('-h, --help', 'show this help');
  }
  return program;
}

/** Leaves out what follows a flag, because it may be a secret: `--pin 123456`, `--pin=123456`. */
const withoutValues = (error: string) =>
  error.replace(/(option '[^=']+)=.*'/, "$1'").replace(/( but got \d+): .*/, '$1.');

const groupHelp = `
The commands that manage something work on the local world (--local), on the live world (--live), or on a deployment
(--stage <stage>). With --json, they print one JSON value instead of text.
Add --help to a command for its options.`;

/** Help lists every command with its arguments, and a command's usage names its options and marks the optional ones. */
const helpConfiguration: HelpConfiguration = {
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
