import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { visibleLine } from '#shared/base/visible.ts';
import { type Actions, actionsOn, type Host } from './actions.ts';
import { UsageError } from './terminal/errors.ts';
import { argumentsOf, helpConfiguration, leaves, programName } from './terminal/help.ts';
import { pasteable } from './terminal/hints.ts';
import { rejectSuspectOptions, requireSubcommand } from './terminal/strict.ts';
import { versionLine } from './version.ts';

/** Adds a command, or a noun with its commands, to the program. */
type Add = (program: Command, actions: Actions, whole: () => Promise<Command>) => void;

/*
 * Each command with what loads it: loading all of them takes longer than what most of them do.
 */

/** Those that are programs of their own. */
const programs: Readonly<Record<string, () => Promise<Add>>> = {
  start: async () => (await import('./commands/world.ts')).addStartCommand,
  receive: async () => (await import('./commands/world.ts')).addReceiveCommand,
  tail: async () => (await import('./commands/world.ts')).addTailCommand,
  deploy: async () => (await import('./commands/deploy.ts')).addDeployCommand,
  destroy: async () => (await import('./commands/deploy.ts')).addDestroyCommand,
};

/** Those that work on a service and have the options that name it. */
const serviceCommands: Readonly<Record<string, () => Promise<Add>>> = {
  doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  smoke: async () => (await import('./commands/smoke.ts')).addSmokeCommand,
  connect: async () => (await import('./commands/connect.ts')).addConnectCommand,
  workspace: async () => (await import('./commands/workspace.ts')).addWorkspaceCommands,
  member: async () => (await import('./commands/member.ts')).addMemberCommands,
  user: async () => (await import('./commands/user.ts')).addUserCommands,
  number: async () => (await import('./commands/number.ts')).addNumberCommands,
  token: async () => (await import('./commands/token.ts')).addTokenCommands,
  upstream: async () => (await import('./commands/upstream.ts')).addUpstreamCommands,
  key: async () => (await import('./commands/key.ts')).addKeyCommands,
  contact: async () => (await import('./commands/contact.ts')).addContactCommands,
  sdp: async () => (await import('./commands/sdp.ts')).addSdpCommands,
  completion: async () => (await import('./commands/completion.ts')).addCompletionCommands,
};

/** Runs the command that `words` name. Throws a {@link UsageError} if they are not a valid command line. */
export async function runCommandLine(words: readonly string[], host: Host): Promise<void> {
  if (words.length === 1 && isVersion(words[0])) return host.printText(`${await versionLine()}\n`);
  const program = await createProgram(host, words);
  try {
    await program.parseAsync(helpFirst(words), { from: 'user' });
  } catch (error) {
    const isComplete = error instanceof CommanderError && error.exitCode === 0;
    if (!isComplete) throw withHelp(error, program, words);
  }
}

/** Adds to a usage error the command that shows the help, unless the message already ends with a command. */
function withHelp(error: unknown, program: CommandUnknownOpts, words: readonly string[]): unknown {
  const path = knownPath(program, words);
  const usage = error instanceof CommanderError ? new UsageError(explain(error, path.at(-1))) : error;
  if (usage instanceof UsageError && !usage.message.includes(programName)) {
    usage.help = pasteable([...path.map((command) => command.name()), '--help']);
  }
  return usage;
}

/** Says what is wrong without what follows a flag, because it may be a secret: `--pin 123456`, `--pin=123456`. */
function explain({ code, message }: CommanderError, command: CommandUnknownOpts | undefined): string {
  if (code === 'commander.excessArguments' && command) {
    return `Too many arguments. The command takes ${argumentsOf(command).join(' ') || 'none'}. A flag such as --json takes no value.`;
  }
  const [, flag] = /^error: unknown option '(--[^=']+)=/.exec(message) ?? [];
  return flag ? `${flag} takes no value, or does not exist.` : sentence(message);
}

/** The commands that the noun and the verb at the beginning of the words name, as far as they exist. */
function knownPath(command: CommandUnknownOpts, [word, ...words]: readonly string[]): CommandUnknownOpts[] {
  const child = command.commands.find((each) => each.name() === word);
  return child ? [child, ...knownPath(child, words)] : [];
}

/**
 * Declares the command that the words begin with, or all of them if they begin with none. A program remembers what it
 * parsed, so each command line needs a new one.
 */
export async function createProgram(host: Host, words: readonly string[] = []): Promise<Command> {
  const program = new Command(programName)
    .usage('<command> [arguments] [options]')
    .description('Runs the service on this machine, deploys it, and manages workspaces and what belongs to them.')
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .option('-V, --version', 'show the versions of the project and of Node')
    .configureHelp(helpConfiguration)
    .configureOutput({ writeOut: host.printText, outputError: () => {} })
    .exitOverride();
  const actions = actionsOn(host, words);
  const [word = ''] = words;
  const needed = Object.entries({ ...programs, ...serviceCommands });
  const named = needed.filter(([name]) => name === word);
  const adds = await Promise.all((named.length > 0 ? named : needed).map(([, load]) => load()));
  for (const add of adds) add(program, actions, () => createProgram(host));
  const onService = program.commands.filter((each) => Object.hasOwn(serviceCommands, each.name()));
  if (onService.length > 0) (await import('./terminal/service-options.ts')).addServiceOptions(onService);
  leaves(program).forEach(rejectSuspectOptions);
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  for (const group of groups) group.usage(`${group.name()} <verb> [arguments] [options]`);
  for (const group of [program, ...groups]) {
    group.addHelpText('after', groupHelp);
    requireSubcommand(group);
  }
  return program;
}

const groupHelp = `
The commands that manage something work on the local world (--local), on the live world (--live), or on a deployment
(--stage <stage>). With --json, they print one JSON value instead of text.
Add --help to a command for its options and an example.`;

const isVersion = (word?: string) => word === '--version' || word === '-V';

/** Shows help wherever `--help` stands, even in place of an option's value. */
function helpFirst(words: readonly string[]): string[] {
  const isHelp = (word: string) => word === '--help' || word === '-h';
  if (words.length > 0 && !words.some(isHelp)) return [...words];
  return [...words.filter((word) => !isHelp(word)).slice(0, 2), '--help'];
}

function sentence(message: string): string {
  const text = visibleLine(message.replace(/^error: /, '').replace('\n(Did you mean', ' (Did you mean'));
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.)]$/.test(text) ? '' : '.');
}
