import { readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { openService } from '#cli/service.ts';
import { openTarget } from '#cli/target.ts';
import { seededPin } from '#local/graph/setup/number-setup.ts';
import { seededCredentials, seededNumbers } from '#local/seed.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { runCommand } from '../../support/command-line.ts';
import { PageValues } from '../../support/page-commands.ts';
import { expectOutputs, runInShell } from '../../support/worlds/page-world.ts';
import { newDataDir } from '../../support/worlds/world.ts';
import { freePorts, type StartedProcess, startProgramAt, until } from '../console/world-process.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/simulated-upstream.md'), 'utf8');
const [, rehearsal = ''] = /\n## Rehearse it without Meta\n([\s\S]+?)\n## /.exec(text) ?? [];
const number = String(seededNumbers[0]?.id);

/** The table of faults: a fault, what doctor says, and the command that fixes it. */
const faults = [...rehearsal.matchAll(/^\| \d+ \| `(\w+)` \| (.+) \| `(.+)` \|$/gm)].map(
  ([, fault = '', says = '', fix = '']) => ({ fault, says, fix: fix.replace('NUMBER', number) }),
);

let folder: string;
let running: StartedProcess | undefined;
/** Those of the first start. The platform keeps the address to which it sends events. */
let ports = freePorts;

/** The world starts from the build of the tests. */
beforeAll(async () => {
  folder = await newDataDir();
  await cp(inject('buildDirectory'), join(folder, 'build'), { recursive: true });
  vi.stubEnv('LOCAL_DATA_DIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stop();
  await rm(folder, { recursive: true, force: true });
});

const description = (): WorldDescription & { console_url: string } =>
  JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8'));

/** What a person does with Ctrl-C. */
async function stop(): Promise<string> {
  const { output } = running ?? {};
  running?.process.kill('SIGINT');
  await running?.exited;
  running = undefined;
  return output?.stdout ?? '';
}

async function start(...words: string[]): Promise<string> {
  await stop();
  let started = startProgramAt(ports, folder, 'local/start/start.js', ...words);
  await until(() => {
    // Between two starts, another test may have had a port of the first one.
    if (started.process.exitCode !== null) {
      started = startProgramAt(ports, folder, 'local/start/start.js', ...words);
    }
    running = started;
    expect(started.output.stderr + started.output.stdout).toMatch(/^ready /m);
  });
  const { base_url, upstream_url, console_url } = description();
  const [PORT = '', UPSTREAM_PORT = '', CONSOLE_PORT = ''] = [base_url, upstream_url, console_url].map(
    (url) => new URL(url).port,
  );
  ports = { PORT, UPSTREAM_PORT, CONSOLE_PORT };
  return started.output.stdout;
}

/** The page in the words of this run, and the other way round. */
const places = () => {
  const { base_url, upstream_url, console_url } = description();
  return [
    ['http://localhost:3000', base_url],
    ['http://localhost:3001', upstream_url],
    ['http://localhost:3002', console_url],
  ] as const;
};
const here = (command: string) => places().reduce((result, [page, actual]) => result.replaceAll(page, actual), command);
const asPage = (printed: string) =>
  places()
    .reduce((result, [page, actual]) => result.replaceAll(actual, page), printed)
    .replaceAll(`LOCAL_DATA_DIR=${folder} `, '');

const variables = () => here(/^\$ (export .+)$/m.exec(rehearsal)?.[1] ?? '');

const inThisFolder = (command: string) => command.replace(' .local cdk.out dist ', ` ${folder}/data `);

async function run(command: string): Promise<string> {
  if (command.startsWith('npm start'))
    return `building the functions and synthesising the stack\n${asPage(await start())}`;
  const input = command.includes('upstream set')
    ? JSON.stringify({ ...seededCredentials, verify_token: '' })
    : seededPin;
  const printed = await runInShell(folder, inThisFolder(`${variables()}; ${here(command)}`), {
    input,
    writeToNumber: () => simulate('events', 'POST', { events: [{ type: 'text' }] }),
  });
  if (command.includes('/messages ')) await hearStatuses();
  return asPage(printed);
}

async function simulate(path: string, method: string, body?: object): Promise<{ data: unknown[] }> {
  const response = await fetch(`${description().upstream_url}/simulator/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { data: unknown[] };
}

/** A message to the number, and two statuses of one from it. */
const hearStatuses = () =>
  until(async () => {
    const { data } = await simulate('events', 'GET');
    expect(data.slice(0, 3)).toEqual(
      Array(3).fill(expect.objectContaining({ attempts: [expect.objectContaining({ status: 200 })] })),
    );
  });

/** What doctor says is wrong, each with its command, in one line. */
async function wrongThings(): Promise<string[]> {
  const service = openService(await openTarget({ local: true }));
  const { text: said = '' } = await runCommand(service, 'doctor', number, '--local');
  return said
    .replace(/\n {11}/g, ' ')
    .split('\n')
    .filter((line) => line.includes(' WRONG '))
    .map((line) => asPage(line.replace(/^ +WRONG +/, '')));
}

const setFaults = (...names: string[]) => simulate('setup/faults', 'PUT', { faults: names });

describe('the rehearsal without Meta', () => {
  it('has commands that lead from a new world to a connected number, with what they print', async () => {
    expect(await expectOutputs(rehearsal, new PageValues({}), run)).toBeGreaterThan(9);
  });

  it('names ten faults as doctor does, with commands that fix them', async () => {
    await start();
    expect(faults).toHaveLength(10);
    for (const { fault, says, fix } of faults) {
      await setFaults(fault);
      expect(await wrongThings()).toEqual([`${says} ${fix}`]);
      if (fix.includes('upstream set')) await setFaults();
      else {
        const atOnce = fix.includes(' connect ') ? `${fix} --wait 0` : fix;
        const printed = await runInShell(folder, atOnce, { input: seededPin });
        expect(printed).toMatch(/^Connected\.$|^registered key +current$/m);
      }
      expect(await wrongThings(), fix).toEqual([]);
    }
  });

  it('names the tests that walk through a restore', () => {
    const walk = readFileSync(join(root, 'test/acceptance/restored-table.test.ts'), 'utf8');
    const titles = [...rehearsal.matchAll(/^ ✓ … (.+)$/gm)].map(([, title]) => `it('${title}'`);
    expect(titles.filter((title) => walk.includes(title))).toHaveLength(4);
  });
});
