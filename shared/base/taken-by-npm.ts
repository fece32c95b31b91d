import { nearestName } from './nearest-name.ts';

/** Settings of npm itself that resemble options of ours, and that it reports whatever was typed. */
const ofNpm = ['yes', 'global', 'npm_version'];

/**
 * Npm takes `--stage` for its own unless `--` stands before it. It tells scripts so in their environment, in lower case:
 * `npm_config_stage`. Returns a sentence for each of our options that it took, misspelt ones included.
 *
 * @param options their names, such as `stage` and `dry-run`
 */
export function takenByNpm(
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    const [, written] = /^npm_config_(.+)$/.exec(variable) ?? [];
    if (written === undefined || value === undefined || ofNpm.includes(written)) return [];
    // It has both as well, and reports them with these values only if they were given.
    if (written === 'dry_run' && value !== 'true') return [];
    if (written === 'call') return value !== '' && options.includes('c') ? [sentence('-c', '-c')] : [];
    const meant = nearestName(written, options);
    return meant === undefined ? [] : [sentence(`--${written.replaceAll('_', '-')}`, `--${meant}`)];
  });
}

function sentence(written: string, meant: string): string {
  const isSame = written.replaceAll('-', '') === meant.replaceAll('-', '');
  const [taken, hint] = isSame ? [meant, ''] : [written, ` Did you mean ${meant}?`];
  return `npm took ${taken} for an option of its own.${hint} Put -- before the options: npm run … -- ${meant} …`;
}
