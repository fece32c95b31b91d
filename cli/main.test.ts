import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userStore } from '#shared/accounts/user-store.ts';
import { newId } from '#shared/base/ids.ts';
import { testCredentials } from '#support/aws/aws-credentials.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { runProgram } from '#support/run-program.ts';
import { sdpOf } from '#support/sdp.ts';

const entry = join(import.meta.dirname, '../messaging.js');

let dynamodb: TestTable;
let localFolder: string;

beforeAll(async () => {
  dynamodb = await startTestTable();
  localFolder = await mkdtemp(join(tmpdir(), 'admin-'));
  const world = worldAt(dynamodb.endpoint, dynamodb.table.name);
  await writeFile(join(localFolder, 'world.json'), JSON.stringify(world));
  await writeCredentials(localFolder, testCredentials);
});
afterAll(async () => {
  await dynamodb.close();
  await rm(localFolder, { recursive: true });
});

/** What a world with this table says of itself, as far as these commands need it. */
const worldAt = (dynamodb: string, table_name: string) => ({
  aws: { region: 'us-east-1', dynamodb, table_name, queue_urls: {} },
});

async function writeCredentials(folder: string, { accessKeyId, secretAccessKey }: typeof testCredentials) {
  await mkdir(join(folder, 'data'));
  const lines = ['[local]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  await writeFile(join(folder, 'data', 'aws-credentials'), lines.join('\n'));
}

/** Runs the command line for the world in the folder, unless the environment names another. */
const admin = (words: readonly string[], env: Record<string, string> = { LOCAL_DATA_DIR: localFolder }, input = '') =>
  runProgram(words, env, { input, cwd: localFolder });

async function createUser(): Promise<string> {
  const id = newId();
  await userStore(dynamodb.table).create({ id, name: 'Ana', created_at: Date.now() });
  return id;
}

const userIds = async () => (await userStore(dynamodb.table).list()).map(({ id }) => id);

const oneLine = /^[^\n]+\n$/;

describe('sdp check', () => {
  it('reads an SDP from standard input, needs no service, and exits with 1 if it finds something', async () => {
    const offer = sdpOf('offer').replace('m=audio', 'a=ice-lite\r\nm=audio');
    const { exitCode, stdout, stderr } = await admin(['sdp', 'check', '-'], {}, offer);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/^ice-lite +The SDP has a=ice-lite.*full ICE/m);
  });

  it('reads a file, which may be an answer', async () => {
    const file = join(localFolder, 'offer.sdp');
    await writeFile(file, sdpOf('offer'));
    const { exitCode, stdout } = await admin(['sdp', 'check', file, '--answer', '--json'], {});
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual([{ finding: 'actpass-in-answer', meaning: expect.any(String) }]);
  });
});

describe('the admin command line', () => {
  it('works on the local world whatever account the AWS environment names, with text or JSON', async () => {
    const env = {
      ...{ LOCAL_DATA_DIR: localFolder, AWS_PROFILE: 'work', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      ...{ AWS_ACCESS_KEY_ID: 'AKIAREAL', AWS_SECRET_ACCESS_KEY: 'real', AWS_SESSION_TOKEN: 'real' },
    };
    const created = await admin(['user', 'create', '--name', 'Ana', '--local', '--json']);
    expect(created).toMatchObject({ exitCode: 0, stderr: '' });
    const { id } = JSON.parse(created.stdout);
    const listed = await admin(['user', 'list', '--local'], env);
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(listed.stdout).toContain(`${id}  Ana`);
  });

  it.skipIf(!existsSync('/usr/bin/script'))('asks at a terminal, and removes only after a yes', async () => {
    const id = await createUser();
    const atTerminal = (reply: string) =>
      new Promise<{ exitCode: number; output: string }>((resolve) => {
        const command = `${process.execPath} ${entry} user delete ${id} --local`;
        const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, LOCAL_DATA_DIR: localFolder };
        const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { env, cwd: localFolder });
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('[y/N]')) child.stdin.write(reply);
          output += text;
        });
        child.on('close', (code) => resolve({ exitCode: code ?? -1, output }));
      });
    const endOfInput = '\u0004';
    const { exitCode, output } = await atTerminal(endOfInput);
    expect(exitCode, output).toBe(1);
    expect(output).toContain('Nothing was changed.');
    expect(await userIds()).toContain(id);
    expect(await atTerminal('y\n')).toMatchObject({ exitCode: 0 });
    expect(await userIds()).not.toContain(id);
  });

  it('reports a usage error, says how to get help, and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await admin(['user', 'list', '--local', '--all']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^error: unknown option '--all'\n.*--help/);
  });

  it('reports a failed operation with one line and exit code 1', async () => {
    const words = ['workspace', 'show', '0198a000-0000-7000-8000-000000000001', '--local'];
    const { exitCode, stdout, stderr } = await admin(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(/no workspace/);
  });

  it('reports that the local world is missing or not running', async () => {
    const folder = await mkdtemp(join(localFolder, 'other-'));
    const complaint = async () => {
      const { exitCode, stderr } = await admin(['user', 'list', '--local'], { LOCAL_DATA_DIR: folder });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(oneLine);
      return stderr;
    };
    expect(await complaint()).toContain(`Start the world with "LOCAL_DATA_DIR=${folder} npm start"`);
    const world = worldAt('http://127.0.0.1:9', 'messages');
    await writeFile(join(folder, 'world.json'), JSON.stringify(world));
    await writeCredentials(folder, testCredentials);
    expect(await complaint()).toContain('is the world (npm start, or ./messaging start --live)');
  });
});
