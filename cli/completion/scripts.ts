import type { CompletionWords } from './words.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

export const completionScript = (shell: Shell, words: CompletionWords): string => scripts[shell](words);

const header = (shell: Shell) =>
  `# Completes the words after "./messaging". Written by: ./messaging completion ${shell}`;

/** A POSIX function that prints the words after `$1`, for bash and zsh. */
const posixWords = ({ after, single }: CompletionWords) =>
  `_messaging_words() {
  case "$1" in
${[...after].map(([path, next]) => `    '${path}'${single.includes(path) ? ` | '${path} '*` : ''}) echo '${next.join(' ')}' ;;`).join('\n')}
  esac
}`;

const anyOf = (words: readonly string[], separator: string) => words.map((word) => `'${word}'`).join(separator);

const bash = (words: CompletionWords) => `${header('bash')}
${posixWords(words)}
_messaging() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local path="\${COMP_WORDS[*]:1:COMP_CWORD < 3 ? COMP_CWORD - 1 : 2}"
  case "$previous" in
    ${anyOf(words.takeValues, ' | ')}) path="$previous" ;;
  esac
  COMPREPLY=($(compgen -W "$(_messaging_words "$path")" -- "$current"))
  case "$path" in
    ${anyOf(words.takeFiles, ' | ')}) COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -o default -F _messaging messaging
`;

const zsh = (words: CompletionWords) => `${header('zsh')}
${posixWords(words)}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_messaging() {
  local -i last=$(( CURRENT < 4 ? CURRENT - 1 : 3 ))
  local path_of_words="\${(j: :)words[2,last]}"
  case \${words[CURRENT - 1]} in
    ${anyOf(words.takeValues, ' | ')}) path_of_words=\${words[CURRENT - 1]} ;;
  esac
  compadd -- \${=$(_messaging_words "$path_of_words")}
  case $path_of_words in
    ${anyOf(words.takeFiles, ' | ')}) _files ;;
  esac
}
compdef _messaging messaging
`;

const fish = ({ after, single, takeValues, takeFiles }: CompletionWords) => `${header('fish')}
function __messaging_words
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l path (string join ' ' -- $typed[1..2])
    switch "$typed[-1]"
        case ${anyOf(takeValues, ' ')}
            set path $typed[-1]
    end
    switch "$path"
${[...after].map(([path, next]) => `        case '${path}'${single.includes(path) ? ` '${path} *'` : ''}\n            printf '%s\\n' ${next.join(' ')}`).join('\n')}
    end
    switch "$path"
        case ${anyOf(takeFiles, ' ')}
            __fish_complete_path (commandline -ct)
    end
end
complete -c messaging -f -k -a '(__messaging_words)'
`;

const scripts: Readonly<Record<Shell, (words: CompletionWords) => string>> = { bash, zsh, fish };
