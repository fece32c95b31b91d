import { nearestName } from './nearest-name.ts';

/** An option that stood before `--`, so that npm took it for one of its own. */
export interface TakenOption {
  /** As it was typed, but in lower case: `--alarm-mail`. */
  written: string;
  /** The option of ours that it is, or resembles: `--alarm-email`. */
  meant: string;
}

/** Settings of npm itself that are or resemble options of ours, and that it reports whatever was typed. */
const ofNpm = ['global', 'json', 'npm_version', 'workspace', 'yes'];

/**
 * Returns those of our options that npm took for its own, misspelt ones included. It reports them to scripts in their
 * environment, in lower case: `npm_config_stage`. Of `--local` it says nothing, since it has a `--local-address`.
 *
 * @param options their names, such as `stage`, `dry-run` and `no-calling`
 */
export function takenByNpm(
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): TakenOption[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    const [, written] = /^npm_config_(.+)$/.exec(variable) ?? [];
    if (written === undefined || value === undefined || ofNpm.includes(written)) return [];
    return optionFor(written, value, options) ?? [];
  });
}

function optionFor(written: string, value: string, options: readonly string[]): TakenOption | undefined {
  const name = written.replaceAll('_', '-');
  // It turns --no-calling into an empty value, and has others that are empty or false.
  if (value === '' || value === 'false') return options.includes(`no-${name}`) ? same(`--no-${name}`) : undefined;
  // It has -c as well, and reports it by its long name.
  if (written === 'call') return options.includes('c') ? same('-c') : undefined;
  const meant = nearestName(written, options);
  if (meant === undefined) return undefined;
  return isSame(name, meant) ? same(`--${meant}`) : { written: `--${name}`, meant: `--${meant}` };
}

const same = (option: string): TakenOption => ({ written: option, meant: option });

const isSame = (one: string, other: string) => one.replaceAll('-', '') === other.replaceAll('-', '');

/**
 * Says what npm took and what to type.
 *
 * @param command the command up to its options, with `--` before them
 * @param options how to write the options after it
 */
export function describeTaken(taken: readonly TakenOption[], command: string, options = written(taken)): string {
  const own = taken.length === 1 ? 'an option' : 'options';
  const misspelt = taken.filter(({ written, meant }) => written !== meant).map(({ meant }) => meant);
  const question = misspelt.length > 0 ? ` Did you mean ${misspelt.join(', ')}?` : '';
  const names = taken.map((option) => option.written).join(', ');
  return `npm took ${names} for ${own} of its own, and nothing was done.${question} Put -- before all options: ${command} ${options}`;
}

/** The options with dots for their values: `--stage … --alarm-email …`. */
const written = (taken: readonly TakenOption[]) => taken.map(({ meant }) => `${meant} …`).join(' ');
