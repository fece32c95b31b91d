import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { root } from '#infra/paths.ts';
import { readSettings } from '#infra/settings.ts';
import { readWords } from '#infra/words.ts';
import { seededTokens, seededWorkspaces } from '#local/seed.ts';
import { newFlow } from '../../support/flows/flow-service.ts';
import { apiClient } from '../../support/http/client.ts';
import { newDataDir, startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

const page = readFileSync(join(root, 'docs/upgrading.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The commands of the page, in order. */
const commands = [...page.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);
const local = commands.filter((command) => command.endsWith('--local'));

let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const apiOf = (world: TestWorld) =>
  apiClient(world.description.base_url, {
    token: seededTokens.owner,
    params: { workspace: String(seededWorkspaces[0]?.id) },
  });

/** Runs a command of the page on the running world. */
async function run(command: string, world: TestWorld) {
  const folder = mkdtempSync(join(tmpdir(), 'upgrading-'));
  const { accessKeyId, secretAccessKey } = world.administrator;
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world.description));
  const lines = ['[local]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  writeFileSync(join(folder, 'data', 'aws-credentials'), lines.join('\n'));
  const [, script = '', ...words] = /^npm run (\S+) -- (.*)$/.exec(command)?.slice(0) ?? [];
  const [, file = ''] = /^node (\S+)$/.exec(scripts[script]) ?? [];
  try {
    return await new Promise<{ code: number | null; output: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [join(root, file), ...words.join(' ').split(' ')],
        { env: { PATH: process.env.PATH, LOCAL_DATA_DIR: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } },
        (_, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the guide to upgrading', () => {
  it('has commands to try on the local world, which run on the data of an earlier run, and the way back', async () => {
    expect(local).toEqual(['npm run smoke -- --local', 'npm run admin -- workspace list --local']);
    const before = await startTestWorld({ dataDir });
    const flow = await apiOf(before).succeed(createFlow, { body: newFlow() });
    await before.close();

    const upgraded = await startTestWorld({ dataDir });
    for (const command of local) expect(await run(command, upgraded), command).toMatchObject({ code: 0 });
    expect((await apiOf(upgraded).succeed(listFlows)).data).toEqual([flow]);
    await upgraded.close();

    const rolledBack = await startTestWorld({ dataDir });
    expect((await apiOf(rolledBack).succeed(listFlows)).data).toEqual([flow]);
    expect(await run('npm run smoke -- --local', rolledBack)).toMatchObject({ code: 0 });
    await rolledBack.close();
  });

  it.each(commands.filter((command) => command.startsWith('npm run deploy')))(
    'deploys with settings that exist: %s',
    (command) => {
      const words = command.split(' ').slice(4);
      const { context, problems } = readWords(words, ['dry-run', 'yes'], {});
      expect([...problems, ...readSettings(context).problems]).toEqual([]);
      expect(context).toHaveProperty('stage');
    },
  );

  it('stores the credentials of a new stage before the smoke test, which needs them', () => {
    const [deployed, next, last] = commands.filter((command) => command.endsWith('--stage staging'));
    expect(deployed).toBe('npm run deploy -- --stage staging');
    expect(next).toBe('npm run admin -- upstream set --stage staging');
    expect(last).toBe('npm run smoke -- --stage staging');
  });

  it.each(commands.filter((command) => command.startsWith('npm run')))('runs scripts that exist: %s', (command) => {
    expect(scripts).toHaveProperty(String(command.split(' ')[2]));
  });
});
