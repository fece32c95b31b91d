import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '#functions/operations.ts';
import demoFlow from '#local/demo-flow.json' with { type: 'json' };
import { buildInto, builtFolders } from '#local/start/build.ts';
import { startWorld } from '#local/world.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { type Contract, needsToken } from '#shared/operations/contract.ts';
import { hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { sdpOf } from '#support/sdp.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';
import type { Judge, Tools, Verdict } from './judge.ts';

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
 * schemathesis begins by reading the description, and does not count it as an operation. A file of a Flow has a sealed
 * address, and a replay needs a range of times, which it does not hit; tests of their own cover them.
 */
const notReached: readonly string[] = ['get-openapi', 'get-flow-file', 'replay-deliveries'];

/** The first run reaches every other operation; the others see who may do what. */
const runs: readonly Run[] = [
  {
    principal: 'owner',
    phases: 'examples,coverage,fuzzing,stateful',
    examples: 6,
    forbidden: () => false,
    reached: ({ name }) => !notReached.includes(name),
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
  // It takes every notification, and its responses to phones look encrypted.
  const receiver = createServer((_request, response) => response.end('T2s='));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const { cookie, ...dictionaries } = await fill(
      world.description,
      `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    );
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
    receiver.close();
    receiver.closeAllConnections();
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

/** Gives the world something in every state, and returns what requests can name. */
async function fill(world: WorldDescription, url: string) {
  const { base_url, upstream_url, tokens, app_secret, verify_token, workspaces, numbers } = world;
  const [workspace, number] = [workspaces[0]?.id, numbers[0]?.id];
  const [ofWorkspace, ofNumber] = [`/v2/workspaces/${workspace}`, `/v2/messaging/numbers/${number}`];

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, base_url), {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  // biome-ignore lint/suspicious/noExplicitAny: each response has a form of its own.
  const json = async (...request: Parameters<typeof send>): Promise<any> => (await send(...request)).json();

  async function newFlow(name: string): Promise<string> {
    const metadata = { name, categories: [3], endpoint_url: url, endpoint_encrypted: true };
    const { id } = await json('POST', `${ofWorkspace}/flows`, metadata);
    await send('PUT', `${ofWorkspace}/flows/${id}/json`, { json: demoFlow });
    return id;
  }

  // The callers are patient, so that their calls last until the operations on calls are tried.
  await send('PATCH', `${upstream_url}/simulator/calling`, { ring_seconds: 3_600 });
  const media: string[] = [];
  // None that the platform cuts off: the response to that is a 502, which schemathesis takes for a fault of ours.
  for (const file of [{ size: 8_000_000 }, { mime_type: 'text/html' }, { expired: true }]) {
    media.push((await json('POST', `${upstream_url}/simulator/media`, file)).id);
  }
  const { phone_number_id } = numbers[0] ?? {};
  const [accepted, rejected] = await Promise.all(
    ['15550100991', '15550100992'].map((from) =>
      json('POST', `${upstream_url}/simulator/calls`, { phone_number_id, from }),
    ),
  );
  const flow: string[] = [];
  for (const name of ['A', 'B', 'C', 'D']) flow.push(await newFlow(name));
  await send('POST', `${ofWorkspace}/flows/${flow[0]}/publish`);
  const previewed = await newFlow('Previewed');
  const preview = await json('POST', `${ofWorkspace}/flows/${previewed}/preview`, { number, valid_until: 6 });
  const unlocked = await send('POST', `/v2/flows/preview/${preview.id}`, `secret=${preview.secret}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const cookie = unlocked.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await send('GET', `/v2/flows/preview/${preview.id}`, undefined, { cookie })).text();

  const settings = { webhook: url, secondary_webhook: url, calls_webhook: url };
  await send('PUT', `${ofNumber}/webhook`, settings);
  await send('PUT', `${ofWorkspace}/webhook`, { webhook: url });
  await send('POST', `${ofNumber}/service-webhook`);
  const [rotated, ...deleted] = ['rotated', 'deleted-a', 'deleted-b'];
  for (const name of [rotated, ...deleted]) await send('PUT', `${ofNumber}/webhook/targets/${name}`, { url });
  const changes = [{ field: 'account_update', value: { event: 'VERIFIED_ACCOUNT' } }];
  const entry = [{ id: workspaces[0]?.waba_id, time: Math.floor(Date.now() / 1000), changes }];
  const event = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = hubSignature(event, app_secret);
  await send('POST', '/v2/messaging/events', event, { [hubSignatureHeader]: signature });
  const upload = await json('POST', `${ofNumber}/media/uploads`, { type: 'application/pdf', size: 5 });
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: 'Hello' });

  const deliveries: { data: { id: string }[] }[] = [
    await json('GET', `${ofNumber}/webhook/deliveries`),
    await json('GET', `${ofWorkspace}/webhook/deliveries`),
  ];
  return {
    cookie,
    workspace: [workspace, workspace, workspaces[1]?.id],
    number: [number],
    flow,
    delivery: deliveries.flatMap(({ data }) => data.map(({ id }) => id)),
    preview: [preview.id],
    secret: [preview.secret],
    file: [...page.matchAll(/"assets\/([\w.-]+)"/g)].map(([, file]) => file),
    upload: [upload.upload],
    media,
    call: [accepted.id],
    rejected_call: [rejected.id],
    url: [url],
    rotated_target: [rotated],
    deleted_target: deleted,
    since: [new Date(Date.now() - 86_400_000).toISOString()],
    offer: [sdpOf('offer')],
    answer: [sdpOf('answer')],
    verify_token: [verify_token],
  };
}
