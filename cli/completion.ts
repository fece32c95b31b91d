import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Actions } from './command-actions.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** @param whole makes the program with all its commands */
export function addCompletionCommands(program: Command, { printText }: Actions, whole: () => Promise<Command>): void {
  const group = program.command('completion').description('Prints a script that completes commands in a shell.');
  for (const shell of shells) {
    group
      .command(shell)
      .description(`Prints a script for ${shell} that completes commands of ./messaging.`)
      .action(async () => printText(completionScript(shell, await whole())));
  }
}

/** Completes the commands of the program, their options, and values that have few choices. */
function completionScript(shell: Shell, program: CommandUnknownOpts): string {
  return `# Completes the words after "./messaging". Written by: ./messaging completion ${shell}
${scripts[shell](stepsOf(program))}`;
}

/** What can follow a command, or part of one. */
interface Step {
  command: string;
  /** Whether the command has only one word, so that any second word may stand between. */
  isSingle: boolean;
  next: readonly string[];
}

function stepsOf(program: CommandUnknownOpts, parents: readonly string[] = []): Step[] {
  const { commands, registeredArguments, options } = program;
  const choices = [...registeredArguments, ...options].flatMap(({ argChoices = [] }) => argChoices);
  const parameters = [...choices, ...options.flatMap(({ long }) => long ?? []), '--help'];
  const next = commands.length > 0 ? commands.map((child) => child.name()) : parameters;
  return [
    { command: parents.join(' '), isSingle: parents.length === 1 && commands.length === 0, next },
    ...commands.flatMap((child) => stepsOf(child, [...parents, child.name()])),
  ];
}

/** A POSIX function that prints what can follow `$1`. */
const posixWords = (steps: readonly Step[]) => `_messaging_words() {
  case "$1" in
${steps.map(({ command, isSingle, next }) => `    '${command}'${isSingle ? ` | '${command} '*` : ''}) echo '${next.join(' ')}' ;;`).join('\n')}
  esac
}`;

const scripts: Readonly<Record<Shell, (steps: readonly Step[]) => string>> = {
  bash: (steps) => `${posixWords(steps)}
_messaging() {
  local path="\${COMP_WORDS[*]:1:COMP_CWORD < 3 ? COMP_CWORD - 1 : 2}"
  COMPREPLY=($(compgen -W "$(_messaging_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _messaging messaging
`,
  zsh: (steps) => `${posixWords(steps)}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_messaging() {
  local -i last=$(( CURRENT < 4 ? CURRENT - 1 : 3 ))
  compadd -- \${=$(_messaging_words "\${(j: :)words[2,last]}")} || _files
}
compdef _messaging messaging
`,
  fish: (steps) => `function __messaging_words
    set -l typed (commandline -opc)
    switch (string join ' ' -- $typed[2..3])
${steps.map(({ command, isSingle, next }) => `        case '${command}'${isSingle ? ` '${command} *'` : ''}\n            printf '%s\\n' ${next.join(' ')}`).join('\n')}
    end
end
complete -c messaging -f -k -a '(__messaging_words)'
complete -c messaging -F -n 'contains sdp (commandline -opc)'
`,
};
