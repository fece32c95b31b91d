import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFlow, listFlows } from '#functions/flows/contracts.ts';
import { freePort } from '#local/aws/base/http/free-port.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { descendants, listeningSockets, runningProcesses } from '#support/processes.ts';
import { runProgram } from '#support/run-program.ts';
import { copyBuild } from '#support/worlds/copied-build.ts';
import { newFlow } from '../../support/flows/flow-service.ts';
import { apiClient } from '../../support/http/client.ts';

const root = join(import.meta.dirname, '../..');

/** Every run that a test starts, and every folder; none outlives the file. */
const runs: Run[] = [];
const folders: string[] = [];
afterAll(async () => {
  for (const { process, exited } of runs) {
    process.kill('SIGKILL');
    await exited;
  }
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'local-world-'));
  folders.push(folder);
  return folder;
}

/** A folder with the build of the tests: its template names the folder of their functions. */
async function newBuiltDataDir(): Promise<string> {
  const folder = await newDataDir();
  await copyBuild(join(folder, 'build'));
  return folder;
}

interface Run {
  dataDir: string;
  process: ChildProcess;
  output: { stdout: string; stderr: string };
  exited: Promise<unknown>;
}

/** The process behind `npm start`. */
function start(dataDir: string, environment: Record<string, string> = {}, args: string[] = []): Run {
  const child = spawn(process.execPath, [join(root, 'messaging.js'), 'start', ...args], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      UPSTREAM_PORT: '0',
      CONSOLE_PORT: '0',
      LOCAL_DATA_DIR: dataDir,
      AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const run = { dataDir, process: child, output, exited: once(child, 'close') };
  runs.push(run);
  return run;
}

const readyLine = /^ready (http:\/\/localhost:\d+)$/m;

type Description = WorldDescription & { console_url: string };

async function ready(run: Run): Promise<{ run: Run; baseUrl: string; world: Description }> {
  await vi.waitFor(() => expect(readyLine.test(run.output.stdout) || run.process.exitCode !== null).toBe(true), {
    timeout: 300_000,
    interval: 20,
  });
  const baseUrl = readyLine.exec(run.output.stdout)?.[1];
  if (baseUrl === undefined) throw new Error(`It did not start: ${run.output.stderr}`);
  return { run, baseUrl, world: JSON.parse(readFileSync(join(run.dataDir, 'world.json'), 'utf8')) };
}

const clientOf = ({ base_url, workspaces, tokens }: Description) =>
  apiClient(base_url, { token: tokens.owner, params: { workspace: String(workspaces[0]?.id) } });

/** Ends the run, with all its children. */
async function stop(run: Run, ...signals: NodeJS.Signals[]): Promise<void> {
  const family = descendants(run.process.pid ?? 0).map(({ pid }) => pid);
  // The world itself and a function.
  expect(family.length).toBeGreaterThanOrEqual(2);
  for (const signal of signals) run.process.kill(signal);
  await run.exited;
  const left = () => runningProcesses().filter(({ pid }) => family.includes(pid));
  await expect.poll(left).toEqual([]);
}

/** Expects exit code 0 in time, an empty error output, and a folder that is ready for the next run. */
async function stopInGoodOrder(run: Run, ...signals: NodeJS.Signals[]): Promise<void> {
  await stop(run, ...signals);
  expect([run.process.exitCode, run.output.stderr]).toEqual([0, '']);
  expect(existsSync(join(run.dataDir, 'lock'))).toBe(false);
}

async function expectFailure(run: Run, line: RegExp): Promise<void> {
  await run.exited;
  expect(run.process.exitCode).toBeGreaterThan(0);
  expect(run.output.stderr.trimEnd()).toMatch(line);
  expect(run.output.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(run.output.stdout).not.toContain('ready');
}

/** Each run builds the functions and synthesises the stack, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** With an engine that runs already, the world starts none. */
const ownsEngine = !process.env.AWS_ENDPOINT_URL_DYNAMODB;

describe('npm start', () => {
  let ports: { api: number; upstream: number; console: number };
  let run: Run;
  let baseUrl: string;
  let world: Description;
  beforeAll(async () => {
    ports = { api: await freePort(), upstream: await freePort(), console: await freePort() };
    const environment = {
      PORT: String(ports.api),
      UPSTREAM_PORT: String(ports.upstream),
      CONSOLE_PORT: String(ports.console),
    };
    ({ run, baseUrl, world } = await ready(start(await newBuiltDataDir(), environment)));
  });

  it('prints one line when it is ready, and describes the world in world.json', () => {
    expect(run.output.stdout.match(/^ready .*$/gm)).toEqual([`ready ${baseUrl}`]);
    expect(run.output.stdout.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/^starting .*queues/),
      expect.stringMatching(/^starting .*gateway$/),
      `console ${world.console_url}`,
      `ready ${baseUrl}`,
    ]);
    expect(world).toEqual({
      base_url: `http://localhost:${ports.api}`,
      code_version: expect.stringMatching(/^[0-9a-f]{64}$/),
      upstream_url: `http://127.0.0.1:${ports.upstream}`,
      console_url: `http://localhost:${ports.console}`,
      app_secret: expect.stringMatching(/./),
      verify_token: expect.stringMatching(/./),
      workspaces: world.workspaces.map(({ waba_id }) => ({
        id: expect.any(String),
        waba_id: waba_id === null ? null : expect.any(String),
        name: expect.any(String),
      })),
      numbers: world.numbers.map(() => ({
        id: expect.any(String),
        workspace: expect.any(String),
        phone_number_id: expect.any(String),
        display_phone_number: expect.any(String),
        calling_enabled: expect.any(Boolean),
        active: expect.any(Boolean),
      })),
      tokens: { owner: expect.any(String), member: expect.any(String), stranger: expect.any(String) },
      aws: expect.any(Object),
    });
  });

  it('seeds the documented users, workspaces and numbers', async () => {
    const [first, second] = world.workspaces;
    expect([typeof first?.waba_id, second?.waba_id]).toEqual(['string', null]);
    const numbers = world.numbers.filter(({ workspace }) => workspace === first?.id);
    expect(numbers.some(({ active, calling_enabled }) => active && calling_enabled)).toBe(true);
    expect(numbers.some(({ active, calling_enabled }) => active && !calling_enabled)).toBe(true);
    expect(numbers.some(({ active }) => !active)).toBe(true);

    const { call } = clientOf(world);
    const statuses = async (workspace: string | undefined) => {
      const params = { workspace: String(workspace) };
      const { owner, member, stranger } = world.tokens;
      const lists = [owner, member, stranger].map((token) => call(listFlows, { params, token }));
      const creates = [owner, member, stranger].map((token) => call(createFlow, { params, token, body: newFlow() }));
      return (await Promise.all([...lists, ...creates])).map(({ status }) => status);
    };
    expect(await statuses(first?.id)).toEqual([200, 200, 403, 201, 403, 403]);
    expect(await statuses(second?.id)).toEqual([200, 403, 403, 400, 403, 403]);
  });

  it('npm start gives a world that is well, says doctor, down to the code that it runs', async () => {
    const { stdout, exitCode } = await runProgram(['doctor', '--local', '--json'], { LOCAL_DATA_DIR: run.dataDir });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string }[] };
    expect(findings.filter(({ status }) => status === 'wrong' || status === 'unknown')).toEqual([]);
    for (const check of ['code-version', 'dead-letters', 'own-address', 'token', 'registration']) {
      expect(findings).toContainEqual(expect.objectContaining({ check, status: 'ok' }));
    }
    expect(exitCode).toBe(0);
  });

  it('listens on loopback only, as do all of its processes', async () => {
    await clientOf(world).succeed(listFlows);
    const pids = [run.process.pid ?? 0, ...descendants(run.process.pid ?? 0).map(({ pid }) => pid)];
    const addresses = pids.flatMap(listeningSockets);
    expect(addresses.length).toBeGreaterThanOrEqual(ownsEngine ? 8 : 7);
    expect(addresses.filter((address) => !/^[0-9A-F]{6}7F:/.test(address))).toEqual([]);
  });

  it('does not start twice on the same data', async () => {
    const line = new RegExp(
      `^Another local world \\(process ${run.process.pid}\\) uses the data in ${run.dataDir}\\. Stop it`,
    );
    await expectFailure(start(run.dataDir), line);
    await expectFailure(start(run.dataDir, {}, ['--fresh']), line);
    expect((await clientOf(world).call(listFlows)).status).toBe(200);
  });

  it('reports that a port is taken', async () => {
    const run = start(await newDataDir(), { PORT: String(ports.api) });
    await expectFailure(run, new RegExp(`^Port ${ports.api} is taken\\.`));
  });

  it('reports that it cannot create the data folder', async () => {
    const file = join(await newDataDir(), 'file');
    writeFileSync(file, '');
    await expectFailure(start(file), /^The data folder \S+ cannot be used \(EEXIST\)\. Set LOCAL_DATA_DIR to/);
    await expectFailure(start(join(file, 'below')), /^The data folder \S+ cannot be used \(ENOTDIR\)\./);
  });
});

describe('stopping the local world', () => {
  /** The Flows, which `--demo` has given one with a preview, once, whatever the number of runs. */
  async function flowsOfDemo({ run, world }: Awaited<ReturnType<typeof ready>>) {
    const [, url = '', secret] = /^preview (\S+) secret (\d{6})$/m.exec(run.output.stdout) ?? [];
    const body = new URLSearchParams({ secret: String(secret) });
    const unlocked = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    const page = await fetch(url, { headers: { cookie: unlocked.headers.getSetCookie()[0]?.split(';')[0] ?? '' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Demo: book a table')]);
    return (await clientOf(world).succeed(listFlows)).data;
  }

  it('keeps data and build for the next run, also by kill -9; --fresh deletes the data and builds again', async () => {
    const dataDir = await newBuiltDataDir();
    const builtAt = () => statSync(join(dataDir, 'build/functions/metafile.json')).mtimeMs;
    const built = builtAt();
    const first = await ready(start(dataDir, {}, ['--demo']));
    const [demo] = await flowsOfDemo(first);
    const flow = await clientOf(first.world).succeed(createFlow, { body: newFlow() });
    await stop(first.run, 'SIGKILL');

    const second = await ready(start(dataDir, {}, ['--demo']));
    expect(await flowsOfDemo(second)).toEqual([flow, demo]);
    // As npm has it: it passes on the Ctrl-C that the terminal has sent to all.
    await stopInGoodOrder(second.run, 'SIGINT', 'SIGINT');
    expect(builtAt()).toBe(built);

    const third = await ready(start(dataDir, {}, ['--fresh']));
    expect((await clientOf(third.world).succeed(listFlows)).data).toEqual([]);
    expect(third.world.tokens).toEqual(first.world.tokens);
    expect(builtAt()).toBeGreaterThan(built);
    await stopInGoodOrder(third.run, 'SIGTERM');
  });

  it('drops requests that still wait for a function, and prints no error', async () => {
    const upstream = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void upstream.close());
    await once(upstream, 'listening');
    const { port } = upstream.address() as AddressInfo;
    // Another upstream may listen at the address of the simulated one.
    const environment = { UPSTREAM_BASE_URL: `http://127.0.0.1:${port}`, UPSTREAM_PORT: String(port) };
    const { run, world } = await ready(start(await newBuiltDataDir(), environment));
    const firstIsHandled = once(upstream, 'connection');
    // The upstream never responds, so each request keeps a process, and there are at most 64 of them.
    const requests = Promise.allSettled(
      Array.from({ length: 80 }, () => clientOf(world).succeed(createFlow, { body: newFlow() })),
    );
    await firstIsHandled;
    await stopInGoodOrder(run, 'SIGINT');
    expect((await requests).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('works before it is ready, while it builds', async () => {
    const run = start(await newDataDir());
    const build = join(run.dataDir, 'build');
    // A build begins with deleting what an earlier one left.
    const isBuilding = () => existsSync(build) && !existsSync(join(build, 'functions/metafile.json'));
    await expect.poll(isBuilding, { interval: 10 }).toBe(true);
    run.process.kill('SIGTERM');
    await run.exited;
    const stdout = 'building the functions and synthesising the stack\n';
    expect([run.process.exitCode, run.output]).toEqual([0, { stdout, stderr: '' }]);
  });
});
