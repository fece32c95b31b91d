import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '#infra/paths.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { type FakeAws, startFakeAws } from '#support/fakes/fake-aws.ts';
import { soonInLog } from '../../support/worlds/delivery-world.ts';
import { stageOf } from '../../support/worlds/fake-stage.ts';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';
import { rights } from '../stack/rights.ts';

const accesses: { accessKeyId: string; action: string; resource: string }[] = [];
let world: TestWorld;
let folder: string;
beforeAll(async () => {
  world = await startTestWorld({ onAwsCall: (access) => void accesses.push(access) });
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
  const child = spawn(process.execPath, [join(root, 'messaging.js'), 'smoke', ...words], {
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

/** The items of the table and the objects of the bucket, except what the trial leaves to expire. */
async function itemsOf({ table, description, administrator: credentials }: TestWorld): Promise<unknown[]> {
  const { region, s3: endpoint, bucket_name: Bucket } = description.aws;
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  s3.destroy();
  const items = await Array.fromAsync(scanItems(table, {}));
  const objects = Contents.map(({ Key }) => `object ${Key}`);
  const expiring = /^(?:KEYED_REQUEST|UPLOADS?|PREVIEW|DELIVERIES)#|^object (?:notifications|uploads)\//;
  return [...items.map(({ pk, sk }) => `${pk} ${sk}`), ...objects].filter((key) => !expiring.test(key)).sort();
}

/** A call of AWS as `rights.ts` writes it. */
function callOf({ action, resource }: { action: string; resource: string }): string {
  const [service, place = ''] = [action.split(':')[0], resource.replace(/^(arn:\w+:[\w-]+:[^:]*:\d*):/, '')];
  const named: Record<string, () => string> = {
    dynamodb: () => place.replace(/^table\/[^/]+/, 'table').replace('/index/', '/'),
    s3: () => place.replace(/^[^/]+/, 'bucket').replace(/^(bucket\/\w+\/).*/, '$1*'),
    secretsmanager: () =>
      /(credentials|flow-keys)\//.exec(place)?.[0].replace(/^/, 'secret ').concat('*') ?? '<UpstreamSecret>',
    sqs: () => `<${place}.Arn>`,
  };
  return `${action} ${named[String(service)]?.() ?? place}`;
}

/** The calls of AWS that functions make only for what the smoke test names as not checked, by its words. */
const uncheckedCalls = {
  'changes of a Flow': ['s3:PutObject bucket/flows/*', 's3:DeleteObject bucket/flows/*'],
  'files that the platform delivers': [
    's3:PutObject bucket/media/*',
    's3:GetObject bucket/media/*',
    's3:AbortMultipartUpload bucket/media/*',
    's3:DeleteObject bucket/media/*',
  ],
  'exchanges of dynamic Flows': [
    'secretsmanager:CreateSecret secret flow-keys/*',
    'secretsmanager:GetSecretValue secret flow-keys/*',
  ],
  'workspaces with credentials of their own': ['secretsmanager:GetSecretValue secret credentials/*'],
};

describe('./messaging smoke --local', () => {
  it('finds that all is well, by all calls of AWS except for what it names as not checked, and leaves nothing', async () => {
    accesses.length = 0;
    const before = await itemsOf(world);
    const { code, output } = await smoke(dataDir(), '--local').ended;
    expect(output).not.toContain('WRONG');
    expect(code).toBe(0);
    expect(await itemsOf(world)).toEqual(before);
    const ofFunctions = accesses.filter(({ accessKeyId }) => accessKeyId !== world.administrator.accessKeyId);
    const calls = new Set(ofFunctions.map(callOf));
    const permitted = new Set(Object.values(rights).flatMap((each) => each.map((call) => call.replace(/: .*$/, ''))));
    expect([...permitted].filter((call) => !calls.has(call)).sort()).toEqual(
      Object.values(uncheckedCalls).flat().sort(),
    );
    for (const what of Object.keys(uncheckedCalls)) expect(output).toContain(`not checked: ${what}`);
  });

  it('removes everything when it is interrupted, also what a killed run has left', async () => {
    const before = await itemsOf(world);
    const killed = smoke(dataDir(), '--local');
    await vi.waitFor(() => expect(killed.seen.output).toContain('ok'), { ...soonInLog, interval: 1 });
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await itemsOf(world)).not.toEqual(before);

    const { child, seen, ended } = smoke(dataDir(), '--local');
    await vi.waitFor(() => expect(seen.output).toContain('ok'), soonInLog);
    child.kill('SIGINT');
    await vi.waitFor(() => expect(seen.output).toContain('Interrupted: removing'), { ...soonInLog, interval: 1 });
    // One Ctrl-C arrives twice: npm passes on what the terminal has sent to all.
    child.kill('SIGINT');
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).not.toContain('All is well');
    expect(await itemsOf(world)).toEqual(before);
  });
});

describe('./messaging smoke --stage', () => {
  let aws: FakeAws;
  beforeAll(async () => {
    aws = await startFakeAws();
  });
  afterAll(() => aws.close());

  it('finds everything by the outputs of the stack, names alarms, and sends to nobody without a receiver', async () => {
    const before = await itemsOf(world);
    const alarms = { 'messaging-dev-Alarms-DeadLetters': 'ALARM', 'messaging-dev-Alarms-ServerErrors': 'OK' };
    const { code, output } = await run(stageOf(world, aws, alarms), '--stage', 'dev').ended;
    expect(output.match(/WRONG/g)).toHaveLength(1);
    expect(output).toMatch(/WRONG {2}no alarm is going off\n +messaging-dev-Alarms-DeadLetters \(/);
    expect(code).toBe(1);
    expect(output).toContain('not checked: that a receiver gets notifications');
    expect(await itemsOf(world)).toEqual(before);
  });
});
