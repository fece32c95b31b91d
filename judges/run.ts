/**
 * `npm run judges`: has software that others wrote look at bundles, template and API description, and prints a table.
 * `npm run judges -- NAME...` runs only these. Without Python or Docker it fails, unless ALLOW_NO_JUDGES=1.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloudFormation } from './cloudformation.ts';
import type { Judge, Tools, Verdict } from './judge.ts';
import { moto } from './moto.ts';
import { cache, pinnedVersion, prints, virtualEnvironment } from './python.ts';
import { pywa } from './pywa.ts';
import { samLocal } from './sam-local.ts';
import { schemathesis } from './schemathesis.ts';
import { templates } from './templates.ts';

const judges: Judge[] = [templates, schemathesis, pywa, samLocal, moto, cloudFormation];

const { positionals } = parseArgs({ allowPositionals: true });
const chosen = judges.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (chosen.length < positionals.length) {
  throw new Error(`The judges are: ${judges.map(({ name }) => name).join(', ')}`);
}

const python = prints('python3', '--version');
const hasPython = Number(/^Python 3\.(\d+)/.exec(python)?.[1] ?? 0) >= 11;
const hasDocker = prints('docker', '--version') !== '' && prints('dockerd', '--version') !== '';
const able = chosen.filter(({ docker }) => hasPython && (hasDocker || !docker));
const skipped = chosen.filter((judge) => !able.includes(judge)).map(({ name }) => name);
const missing = hasPython ? 'docker and dockerd' : 'Python 3.11';

if (skipped.length > 0 && process.env.ALLOW_NO_JUDGES !== '1') {
  console.error(`${missing} is missing, which ${skipped.join(', ')} need. Install it, or set ALLOW_NO_JUDGES=1.`);
  process.exitCode = 1;
} else {
  const verdicts = able.length > 0 ? await verdictsOf(able) : [];
  console.table(
    verdicts.map(({ faults, ...tried }) => ({ ...tried, verdict: faults.length > 0 ? 'FAILED' : 'passed' })),
  );
  if (skipped.length > 0) console.log(`SKIPPED, because ${missing} is missing: ${skipped.join(', ')}`);
  for (const { judge, faults } of verdicts) for (const fault of faults) console.error(`${judge}: ${fault}`);
  process.exitCode = verdicts.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

async function verdictsOf(able: Judge[]): Promise<Verdict[]> {
  const bin = virtualEnvironment(python);
  mkdirSync(cache, { recursive: true });
  const verdicts: Verdict[] = [];
  for (const { name, judge } of able) {
    const temporary = mkdtempSync(join(tmpdir(), 'judge-'));
    const tools: Tools = { command: (tool) => join(bin, tool), version: pinnedVersion, cache, temporary };
    const started = performance.now();
    try {
      verdicts.push(...(await judge(tools)));
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      verdicts.push({ judge: name, version: '', tried: '', faults: [fault] });
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
    console.log(`${name} took ${Math.round((performance.now() - started) / 1000)} s`);
  }
  return verdicts;
}
