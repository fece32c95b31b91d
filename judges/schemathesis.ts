import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '#functions/operations.ts';
import { buildInto, builtFolders } from '#local/start/build.ts';
import { startWorld } from '#local/world.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { type Contract, needsToken } from '#shared/operations/contract.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';
import { startCustomer } from './customer.ts';
import type { Judge, Tools, Verdict } from './judge.ts';
import { fillWorld } from './schemathesis-world.ts';

type Principal = keyof WorldDescription['tokens'];

interface Run {
  principal: Principal;
  phases: string;
  examples: number;
  /** The operations that must reject every request of this principal. */
  forbidden: (contract: Contract) => boolean;
  /** Those of which a request must succeed. */
  reached: (contract: Contract) => boolean;
}

/**
 * The first run reaches every operation but one: schemathesis begins by reading the description, and does not count
 * that. The other runs see who may do what.
 */
const runs: readonly Run[] = [
  {
    principal: 'owner',
    phases: 'examples,coverage,fuzzing,stateful',
    examples: 6,
    forbidden: () => false,
    reached: ({ name }) => name !== 'get-openapi',
  },
  {
    principal: 'member',
    phases: 'examples,fuzzing',
    examples: 3,
    forbidden: ({ caller }) => caller.endsWith('-owner'),
    reached: ({ method, caller }) => method === 'GET' && caller.endsWith('-member'),
  },
  {
    principal: 'stranger',
    phases: 'examples,fuzzing',
    examples: 3,
    forbidden: (contract) => needsToken(contract) && contract.caller !== 'user',
    reached: ({ caller }) => caller === 'user',
  },
];

/** Sends requests made from the description that a local world serves, with the tokens of three users. */
export const schemathesis: Judge = { name: 'schemathesis', judge };

async function judge(tools: Tools): Promise<Verdict[]> {
  const logs: string[] = [];
  const errors: Error[] = [];
  const build = join(tools.temporary, 'build');
  await buildInto(build);
  const world = await startWorld({
    ...worldDefaults,
    templateFile: join(builtFolders(build).assemblyDirectory, 'messaging-dev.template.json'),
    dataDir: join(tools.temporary, 'data'),
    environment: { DELIVERY_TIMEOUT_MS: '2000', DELIVERY_RETRY_SCHEDULE: '1,2' },
    onLog: (functionName, line) => logs.push(`${functionName} ${line}`),
    onError: (error) => errors.push(error),
  });
  const customer = await startCustomer();
  try {
    const { cookie, ...dictionaries } = await fillWorld(world.description, customer);
    writeFileSync(
      join(tools.temporary, 'schemathesis.toml'),
      [
        readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8'),
        ...Object.entries(dictionaries).map(
          ([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}`,
        ),
      ].join('\n'),
    );
    const verdicts: Verdict[] = [];
    for (const run of runs) verdicts.push(await runAs(tools, world.description, cookie, run));
    const ofWorld = errors.filter(({ name }) => !rejections.includes(name)).map(({ stack }) => String(stack));
    verdicts.at(-1)?.faults.push(...logs.filter((line) => failed.test(line) && !foreign.test(line)), ...ofWorld);
    return verdicts;
  } finally {
    customer.close();
    await world.close();
  }
}

/** Lines of the log about errors, and those of them that the platform, an endpoint or a busy machine explains. */
const failed = /"level":"ERROR"|timed out|exited|crash/i;
const foreign = /"event":"(upstream\.failed|exchange\.out-of-time)"|"status":50[234]|"delivery\.failed".*TimeoutError/;

/** Errors that the gateway reports about requests that it rejects. */
const rejections = ['URIError', 'RequestTooLargeException'];

interface Report {
  failures: { title: string; operations: string[] }[];
  errors: { title: string }[];
}

/** A line of the log of a run, as far as it reports requests. */
interface LogLine {
  ScenarioFinished?: {
    recorder: {
      cases?: Record<string, { value: { method: string; path: string } }>;
      interactions?: Record<string, { response: { status_code: number } | null }>;
    };
  };
}

/** The statuses of all responses by operation. */
function statusesByRoute(log: string): Map<string, number[]> {
  const statuses = new Map<string, number[]>();
  for (const line of log.trim().split('\n')) {
    const { cases = {}, interactions = {} } = (JSON.parse(line) as LogLine).ScenarioFinished?.recorder ?? {};
    for (const [id, { response }] of Object.entries(interactions)) {
      const { method, path } = cases[id]?.value ?? { method: '', path: '' };
      if (response)
        statuses.set(`${method} ${path}`, [...(statuses.get(`${method} ${path}`) ?? []), response.status_code]);
    }
  }
  return statuses;
}

async function runAs(
  { command, version, temporary }: Tools,
  { base_url, tokens, app_secret }: WorldDescription,
  cookie: string,
  { principal, phases, examples, forbidden, reached }: Run,
): Promise<Verdict> {
  const [reportFile, logFile] = [join(temporary, 'report.json'), join(temporary, 'log.ndjson')];
  const args = [
    `--config-file=${join(temporary, 'schemathesis.toml')}`,
    'run',
    `${base_url}/v2/openapi.json`,
    '--no-color',
    `--phases=${phases}`,
    `--max-examples=${examples}`,
    `--header=Authorization: Bearer ${tokens[principal]}`,
    `--report-json-path=${reportFile}`,
    `--report-ndjson-path=${logFile}`,
  ];
  const variables = { APP_SECRET: app_secret, PREVIEW_COOKIE: cookie, PYTHONDONTWRITEBYTECODE: '1' };
  // Python finds the hooks beside this file.
  const env = { ...process.env, ...variables, PYTHONPATH: import.meta.dirname };
  const options = { cwd: temporary, env, maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(command('schemathesis'), args, options).catch((error) => {
    // It found something, which the report says.
    if (error.code === 1) return error;
    throw new Error(`schemathesis ended with ${error.code ?? error.signal}: ${error.stdout}${error.stderr}`);
  });
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  const statuses = statusesByRoute(readFileSync(logFile, 'utf8'));
  const succeeded = ({ method, path }: Contract) =>
    statuses.get(`${method} ${path}`)?.some((status) => status < 400) ?? false;
  const faults = [
    ...report.failures.map(({ title, operations: found }) => `${title}: ${found.join(', ')}`),
    ...report.errors.map(({ title }) => title),
    ...operations
      .filter((contract) => forbidden(contract) && succeeded(contract))
      .map(({ name }) => `the ${principal} may use ${name}`),
    ...operations
      .filter((contract) => reached(contract) && !succeeded(contract))
      .map(({ name, method, path }) => `no request to ${name} succeeded: ${statuses.get(`${method} ${path}`)}`),
  ];
  if (faults.length > 0) console.log(stdout);
  const requests = [...statuses.values()].flat().length;
  return {
    judge: `schemathesis as ${principal}`,
    version: version('schemathesis'),
    tried: `${requests} requests to ${operations.length} operations`,
    faults,
  };
}
