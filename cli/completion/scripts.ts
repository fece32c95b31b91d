import type { CompletionWords } from './words.ts';

/*
 * Each script completes the words behind "npm run admin --" and leaves all other words of npm to the completion that
 * the shell had for npm before.
 */

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

export const completionScript = (shell: Shell, words: CompletionWords): string => scripts[shell](words);

const header = (shell: Shell) =>
  `# Completes the words after "npm run admin --". Written by: npm run --silent admin -- completion ${shell}`;

/** A POSIX function that prints the words after `$1`, for bash and zsh. */
const posixWords = ({ after, single }: CompletionWords) =>
  `_messaging_admin_words() {
  case "$1" in
${[...after].map(([path, next]) => `    '${path}'${single.includes(path) ? ` | '${path} '*` : ''}) echo '${next.join(' ')}' ;;`).join('\n')}
  esac
}`;

const anyOf = (words: readonly string[], separator: string) => words.map((word) => `'${word}'`).join(separator);

const bash = (words: CompletionWords) => `${header('bash')}
${posixWords(words)}
case "$(complete -p npm 2>/dev/null)" in
  *' _messaging_admin '*) ;;
  *) _messaging_admin_before=$(complete -p npm 2>/dev/null | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p') ;;
esac
_messaging_admin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" begin=0 i
  for ((i = 1; i + 1 < COMP_CWORD; i++)); do
    if [ "\${COMP_WORDS[i]} \${COMP_WORDS[i + 1]}" = 'admin --' ]; then begin=$((i + 2)); break; fi
  done
  if [ "$begin" = 0 ]; then
    if [ -n "$_messaging_admin_before" ]; then "$_messaging_admin_before" "$@"; fi
    return
  fi
  local path="\${COMP_WORDS[*]:begin:COMP_CWORD - begin < 2 ? COMP_CWORD - begin : 2}"
  case "$previous" in
    ${anyOf(words.takeValues, ' | ')}) path="$previous" ;;
  esac
  COMPREPLY=($(compgen -W "$(_messaging_admin_words "$path")" -- "$current"))
  case "$path" in
    ${anyOf(words.takeFiles, ' | ')}) COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -o default -F _messaging_admin npm
`;

const zsh = (words: CompletionWords) => `${header('zsh')}
${posixWords(words)}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
[[ \${_comps[npm]} == _messaging_admin ]] || _messaging_admin_before=\${_comps[npm]}
_messaging_admin() {
  local -i at=\${words[(i)admin]}
  if (( CURRENT < at + 2 )) || [[ \${words[at + 1]} != -- ]]; then
    [[ -n $_messaging_admin_before ]] && $_messaging_admin_before "$@"
    return
  fi
  local -i last=$(( CURRENT - 1 < at + 3 ? CURRENT - 1 : at + 3 ))
  local path_of_words="\${(j: :)words[at + 2,last]}"
  case \${words[CURRENT - 1]} in
    ${anyOf(words.takeValues, ' | ')}) path_of_words=\${words[CURRENT - 1]} ;;
  esac
  compadd -- \${=$(_messaging_admin_words "$path_of_words")}
  case $path_of_words in
    ${anyOf(words.takeFiles, ' | ')}) _files ;;
  esac
}
compdef _messaging_admin npm
`;

const fish = ({ after, single, takeValues, takeFiles }: CompletionWords) => `${header('fish')}
function __messaging_admin_typed
    set -l typed (commandline -opc)
    for i in (seq 2 (math (count $typed) - 1))
        set -l next (math $i + 1)
        if test "$typed[$i] $typed[$next]" = 'admin --'
            set -e typed[1..$next]
            string join \\n -- $typed
            return 0
        end
    end
    return 1
end
function __messaging_admin_words
    set -l typed (__messaging_admin_typed)
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
complete -c npm -n '__messaging_admin_typed >/dev/null' -f -k -a '(__messaging_admin_words)'
`;

const scripts: Readonly<Record<Shell, (words: CompletionWords) => string>> = { bash, zsh, fish };
