import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { actionsOn, type Host } from './actions.ts';
import { addCompletionCommands } from './commands/completion.ts';
import { addConnectCommand } from './commands/connect.ts';
import { addContactCommands } from './commands/contact.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMemberCommands } from './commands/member.ts';
import { addNumberCommands } from './commands/number.ts';
import { addSdpCommands } from './commands/sdp.ts';
import { addTokenCommands } from './commands/token.ts';
import { addUpstreamCommands } from './commands/upstream.ts';
import { addUserCommands } from './commands/user.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';
import { UsageError } from './terminal/failures.ts';
import { argumentsOf, helpConfiguration, leaves, programName } from './terminal/help.ts';
import { pasteable } from './terminal/hints.ts';
import { line, stage } from './terminal/parameters.ts';
import { rejectSuspectOptions, rejectTakenByNpm, requireSubcommand } from './terminal/strict.ts';
import { visibleLine } from './terminal/visible.ts';
import { versionLine } from './version.ts';

/**
 * Runs the command that `words` name. Throws a {@link UsageError} if they are not a valid command line.
 *
 * @param environment tells which options npm took for its own, because there was no `--` before them
 */
export async function runCommandLine(
  words: readonly string[],
  host: Host,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  if (words.length === 1 && isVersion(words[0])) return host.printText(`${await versionLine()}\n`);
  const program = createProgram(host, words);
  rejectTakenByNpm(knownPath(program, words), environment);
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

/** Declares all commands. A program remembers what it parsed, so each command line needs a new one. */
export function createProgram(host: Host, words: readonly string[] = []): CommandUnknownOpts {
  const program = new Command(programName)
    .usage('<noun> <verb> [arguments] [options] (--local | --live | --stage <stage>)')
    .description('Manages workspaces and what belongs to them, directly in the table.')
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .option('-V, --version', 'show the versions of the project and of Node')
    .configureHelp(helpConfiguration)
    .configureOutput({ writeOut: host.printText, outputError: () => {} })
    .exitOverride();
  const actions = actionsOn(host, words);
  addWorkspaceCommands(program, actions);
  addMemberCommands(program, actions);
  addUserCommands(program, actions);
  addNumberCommands(program, actions);
  addTokenCommands(program, actions);
  addUpstreamCommands(program, actions);
  addKeyCommands(program, actions);
  addContactCommands(program, actions);
  addSdpCommands(program, actions);
  addConnectCommand(program, actions);
  addDoctorCommand(program, actions);
  addCompletionCommands(program, actions);
  for (const command of leaves(program)) {
    addCommonOptions(command);
    rejectSuspectOptions(command);
  }
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  for (const group of groups) group.usage(`${group.name()} <verb> [arguments] [options]`);
  for (const group of [program, ...groups]) {
    group.addHelpText('after', groupHelp);
    requireSubcommand(group);
  }
  return program;
}

const groupHelp = `
Every command works on the local world (--local), on the live world (--live), or on a deployment (--stage <stage>, or
--table <name> or TABLE_NAME).
--json prints one JSON value instead of text. In scripts: npm run --silent admin -- … --json
Add --help to a command for its options and an example.`;

function addCommonOptions(command: CommandUnknownOpts): void {
  command
    .optionsGroup('Options of every command:')
    .option('--local', 'work on the local world, which must be running')
    .option('--live', 'work on the live world, which must be running')
    .option('--stage <stage>', 'work on the deployment of this stage, such as prod', stage)
    .option('--table <name>', 'work on the deployment with this table (default: TABLE_NAME)', line(255))
    .option('--json', 'print one JSON value instead of text')
    .helpOption('-h, --help', 'show this help');
}

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
