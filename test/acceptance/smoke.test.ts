import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '#infra/paths.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { newId } from '#shared/base/ids.ts';
import { hourMs } from '#shared/base/time/duration.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { type FakeAws, startFakeAws } from '#support/fakes/fake-aws.ts';
import { soonInLog } from '../../support/worlds/delivery-world.ts';
import { stageOf } from '../../support/worlds/fake-stage.ts';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

let world: TestWorld;
let folder: string;
beforeAll(async () => {
  world = await startTestWorld();
  folder = mkdtempSync(join(tmpdir(), 'smoke-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** Writes what `npm start` writes for the command line, and returns the folder. */
function dataDir(changes: object = {}): string {
  const dir = mkdtempSync(join(folder, 'data-'));
  const { accessKeyId, secretAccessKey } = world.administrator;
  mkdirSync(join(dir, 'data'));
  writeFileSync(join(dir, 'world.json'), JSON.stringify({ ...world.description, ...changes }));
  const lines = ['[local]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  writeFileSync(join(dir, 'data', 'aws-credentials'), lines.join('\n'));
  return dir;
}

function smoke(dir: string, ...words: string[]) {
  return run({ LOCAL_DATA_DIR: dir }, ...words);
}

function run(environment: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, [join(root, 'cli/smoke/smoke.ts'), ...words], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
  });
  const seen = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      seen.output += chunk;
    });
  }
  return { child, seen, ended: once(child, 'close').then(() => ({ code: child.exitCode, output: seen.output })) };
}

/** The items of the table and the objects of the bucket, except the record of a request with an Idempotency-Key, which expires by itself. */
async function itemsOf({ table, description, administrator: credentials }: TestWorld): Promise<unknown[]> {
  const { region, s3: endpoint, bucket_name: Bucket } = description.aws;
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  s3.destroy();
  const items = await Array.fromAsync(scanItems(table, {}));
  const objects = Contents.map(({ Key }) => `object ${Key}`);
  return [...items.map(({ pk, sk }) => `${pk} ${sk}`), ...objects].filter((key) => !key.startsWith('KEYED_REQUEST#'));
}

describe('npm run smoke -- --local', () => {
  it('finds that all is well, names what it did not check, and leaves nothing', async () => {
    const before = await itemsOf(world);
    const { code, output } = await smoke(dataDir(), '--local').ended;
    expect(output).not.toContain('WRONG');
    expect(code).toBe(0);
    expect(output.match(/^ok {5}/gm)).toHaveLength(11);
    expect(output).toContain('not checked: alarms');
    expect(output).toContain('not checked: calls of the WhatsApp Cloud API');
    expect((await itemsOf(world)).sort()).toEqual(before.sort());
  });

  it('says that nothing was delivered if the receiver does not respond, and removes everything all the same', async () => {
    const before = await itemsOf(world);
    const { code, output } = await smoke(dataDir(), '--local', '--receiver', 'http://127.0.0.1:9/').ended;
    expect(code).toBe(1);
    expect(output).toMatch(/WRONG {2}an event becomes a notification.*\n +The receiver did not get it: it is waiting/);
    expect(output).toContain('2 of the steps found something wrong.');
    expect((await itemsOf(world)).sort()).toEqual(before.sort());
  });

  it('removes what a killed run left, once it is an hour old, and nothing of a run beside it', async () => {
    const before = await itemsOf(world);
    const workspaces = workspaceStore(world.table);
    const left = { id: newId(), name: 'Smoke test, temporary: 1', waba_id: null, created_at: Date.now() - 2 * hourMs };
    const beside = { ...left, id: newId(), name: 'Smoke test, temporary: 2', created_at: Date.now() };
    for (const workspace of [left, beside]) await workspaces.create(workspace);
    expect(await smoke(dataDir(), '--local').ended).toMatchObject({ code: 0 });
    expect([await workspaces.get(left.id), (await workspaces.get(beside.id))?.name]).toEqual([undefined, beside.name]);
    await workspaces.delete(beside.id);
    expect((await itemsOf(world)).sort()).toEqual(before.sort());
  });

  it('removes everything when it is interrupted', async () => {
    const before = await itemsOf(world);
    const { child, seen, ended } = smoke(dataDir(), '--local');
    await vi.waitFor(() => expect(seen.output).toContain('ok'), soonInLog);
    child.kill('SIGINT');
    await vi.waitFor(() => expect(seen.output).toContain('Interrupted: removing'), { ...soonInLog, interval: 1 });
    // One Ctrl-C arrives twice: npm passes on what the terminal has sent to all.
    child.kill('SIGINT');
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).toContain('Not everything was tried.');
    expect(output).not.toContain('All is well');
    expect((await itemsOf(world)).sort()).toEqual(before.sort());
  });

  it.each([
    [['--local', '--stage', 'prod'], 'Give either --stage <stage> or --local.'],
    [[], 'Give either --stage <stage> or --local.'],
    [['--stage', 'Prod'], '--stage must be 1 to 32 lowercase letters'],
    [['--loca'], "Unknown option '--loca'"],
    [['--local', '--receiver', 'example.com'], '--receiver must be a URL.'],
  ])('could not run with %j: the exit code is 2', async (words, expected) => {
    const { code, output } = await smoke(dataDir(), ...words).ended;
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(expected) });
  });

  it('could not run without a world: the exit code is 2', async () => {
    const { code, output } = await smoke(folder, '--local').ended;
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining('npm start') });
  });
});

describe('npm run smoke -- --stage', () => {
  let aws: FakeAws;
  beforeAll(async () => {
    aws = await startFakeAws();
  });
  afterAll(() => aws.close());

  it('finds everything by the outputs of the stack, and sends to nobody without a receiver', async () => {
    const before = await itemsOf(world);
    const { code, output } = await run(stageOf(world, aws, { 'messaging-dev-Alarms-1': 'OK' }), '--stage', 'dev').ended;
    expect(output).not.toContain('WRONG');
    expect(code).toBe(0);
    expect(output).toContain('ok     no alarm is going off');
    expect(output).toContain('not checked: that a receiver gets notifications');
    expect((await itemsOf(world)).sort()).toEqual(before.sort());
  });

  it('names the alarms that are going off', async () => {
    const alarms = { 'messaging-dev-Alarms-DeadLetters': 'ALARM', 'messaging-dev-Alarms-ServerErrors': 'OK' };
    const { code, output } = await run(stageOf(world, aws, alarms), '--stage', 'dev').ended;
    expect(code).toBe(1);
    expect(output).toMatch(/These alarms are going off: messaging-dev-Alarms-DeadLetters \(/);
  });
});
