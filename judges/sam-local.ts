import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '#infra/paths.ts';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { samEnvironment } from '#local/sam-env.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { architecture, bridgeAddress, importLambdaImage, nodeVersion, startDocker } from './docker.ts';
import { forward, portsOf } from './forward.ts';
import type { Judge, Tools, Verdict } from './judge.ts';
import { type BackgroundProcess, startProcess } from './process.ts';

const run = promisify(execFile);

/**
 * Serves the template with the SAM CLI, each function in a container, and takes the README's journey through it, with
 * table, bucket, queues, secrets and platform of a local world. The steps are those of docs/internals/sam-local.md.
 */
export const samLocal: Judge = {
  name: 'sam-local',
  docker: true,
  async judge(tools) {
    const version = tools.version('aws-sam-cli');
    const template = await synthesise(tools.temporary);
    const stops: (() => Promise<void> | void)[] = [];
    try {
      return [
        { judge: 'sam validate --lint', version, tried: 'the template of dev', faults: await lint(template, tools) },
        ...(await judgeLocal(template, tools, (stop) => stops.unshift(stop))).map((row) => ({ version, ...row })),
      ];
    } finally {
      for (const stop of stops) await stop();
    }
  },
};

async function judgeLocal(
  template: string,
  tools: Tools,
  later: (stop: () => Promise<void> | void) => void,
): Promise<Omit<Verdict, 'version'>[]> {
  const { temporary } = tools;
  const docker = await startDocker(temporary);
  later(docker.stop);
  importLambdaImage(docker, temporary);

  const world = startWorld(temporary);
  later(world.stop);
  await until(world, () => /^ready /m.test(world.output()));
  const description: WorldDescription = JSON.parse(readFileSync(join(temporary, 'world.json'), 'utf8'));

  const port = await freePort();
  const environment = samEnvironment(JSON.parse(readFileSync(template, 'utf8')), description, bridgeAddress);
  const environmentFile = join(temporary, 'env.json');
  const content = JSON.stringify(environment).replaceAll('127.0.0.1:3010', `127.0.0.1:${port}`);
  writeFileSync(environmentFile, content);
  later(await forward(bridgeAddress, portsOf(bridgeAddress, content)));

  const sam = tools.command('sam');
  const credentials = join(temporary, 'data/aws-credentials');
  const variables = { DOCKER_HOST: docker.host, AWS_SHARED_CREDENTIALS_FILE: credentials, ...quiet };
  const options = [
    ...['--template', template, '--env-vars', environmentFile, '--warm-containers', 'LAZY', '--port', `${port}`],
    ...['--region', description.aws.region, '--profile', 'local', '--skip-pull-image'],
  ];
  const api = startProcess(sam, ['local', 'start-api', ...options], variables);
  later(api.stop);
  await until(api, () => api.output().includes('Running on'));

  const commands = journeyWith({
    '127.0.0.1:3010': `127.0.0.1:${port}`,
    8099: `${await freePort()}`,
    '.local/sam/bin/sam': sam,
    '$PWD/.local': temporary,
    '.local': temporary,
    'cdk.out/messaging-dev.template.json': template,
    'env.json': environmentFile,
  });
  const tried = `${commands.match(/^ *[^#\n]*\bcurl /gm)?.length} requests and an event, on Node ${nodeVersion()}`;
  return [{ judge: 'sam local', tried, faults: await journeyFaults(commands, variables, api) }];
}

async function journeyFaults(commands: string, variables: NodeJS.ProcessEnv, api: BackgroundProcess) {
  try {
    const output = await inShell(commands, variables);
    // What the receiver prints, and then what `sam local invoke` does.
    return /"statuses":[\s\S]+"batchItemFailures": ?\[\]/.test(output) ? [] : [`Nothing was delivered:\n${output}`];
  } catch (error) {
    const { message, stdout, stderr } = error as { message: string; stdout?: string; stderr?: string };
    return [[message, stdout, stderr, api.output().slice(-3000)].join('\n')];
  }
}
const quiet = { SAM_CLI_TELEMETRY: '0' };

/** @returns the template's file */
async function synthesise(temporary: string): Promise<string> {
  const assembly = join(temporary, 'cdk.out');
  await run('npm', ['run', 'synth', '--', '-c', 'samLocal=true', '-c', `architecture=${architecture}`], {
    cwd: root,
    env: { ...process.env, CDK_OUTDIR: assembly },
  });
  return join(assembly, 'messaging-dev.template.json');
}

async function lint(template: string, { command }: Tools): Promise<string[]> {
  try {
    const args = ['validate', '--lint', '--template', template, '--region', 'us-east-1'];
    await run(command('sam'), args, { env: { ...process.env, ...quiet } });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`${stdout}${stderr}`];
  }
}

/** Starts a local world that also responds to the name by which containers call this machine. */
function startWorld(folder: string): BackgroundProcess {
  const ports = { PORT: '0', UPSTREAM_PORT: '0', CONSOLE_PORT: '0' };
  const variables = { ...ports, LOCAL_DATA_DIR: folder, LOCAL_HOSTS: bridgeAddress };
  return startProcess(process.execPath, [join(root, 'messaging.js'), 'start'], variables);
}

async function until({ hasEnded, output }: BackgroundProcess, isReady: () => boolean): Promise<void> {
  while (!isReady()) {
    if (hasEnded()) throw new Error(output());
    await setTimeout(100);
  }
}

/** The commands of the page's journey, with these values in place of those of the page. */
function journeyWith(values: Readonly<Record<string, string>>): string {
  const page = readFileSync(join(root, 'docs/internals/sam-local.md'), 'utf8');
  const [section = ''] = /^## The journey$[\s\S]+?(?=^## )/m.exec(page) ?? [];
  const commands = [...section.matchAll(/^ *```sh\n([\s\S]+?)^ *```/gm)].map(([, block]) => block).join('');
  return Object.entries(values).reduce((text, [printed, value]) => text.replaceAll(printed, value), commands);
}

/** Runs commands in a shell that ends at the first failure, and with it what they have started. */
async function inShell(commands: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const strict = [
    'set -euo pipefail',
    "trap 'kill $(jobs -p)' EXIT",
    'curl() { command curl --fail-with-body --max-time 60 "$@"; }',
  ];
  const env = { ...process.env, ...environment };
  const { stdout } = await run('bash', ['-c', [...strict, commands].join('\n')], { cwd: root, env });
  return stdout;
}
