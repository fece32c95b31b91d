/** Settings of npm itself that are options of ours, too, and that it reports whatever was typed. */
const ofNpm = ['global', 'json', 'npm_version', 'workspace', 'yes'];

/**
 * Returns those of our options that npm took for its own, because they stood before `--`: `--alarm-email`. It reports
 * them to scripts in their environment, in lower case: `npm_config_stage`. Of `--local` it says nothing, since it has a
 * `--local-address`.
 *
 * @param options their names, such as `stage`, `dry-run` and `no-calling`
 */
export function takenByNpm(
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    const [, written] = /^npm_config_(.+)$/.exec(variable) ?? [];
    if (written === undefined || value === undefined || ofNpm.includes(written)) return [];
    return optionFor(written, value, options) ?? [];
  });
}

function optionFor(written: string, value: string, options: readonly string[]): string | undefined {
  const name = written.replaceAll('_', '-');
  // It turns --no-calling into an empty value, and has others that are empty or false.
  if (value === '' || value === 'false') return options.includes(`no-${name}`) ? `--no-${name}` : undefined;
  // It has -c as well, and reports it by its long name.
  if (written === 'call') return options.includes('c') ? '-c' : undefined;
  const option = options.find((each) => lettersOf(each) === lettersOf(written));
  return option && `--${option}`;
}

/** People write `--alarmEmail`, too. */
const lettersOf = (name: string) => name.replace(/[-_]/g, '').toLowerCase();

/**
 * Says what npm took and what to type.
 *
 * @param command the command up to its options, with `--` before them
 * @param options how to write the options after it, by default with dots for their values: `--stage … --alarm-email …`
 */
export function describeTaken(
  taken: readonly string[],
  command: string,
  options = taken.map((option) => `${option} …`).join(' '),
): string {
  const own = taken.length === 1 ? 'an option' : 'options';
  return `npm took ${taken.join(', ')} for ${own} of its own, and nothing was done. Put -- before all options: ${command} ${options}`;
}
