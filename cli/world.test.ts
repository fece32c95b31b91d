import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { shellWords } from '#support/command-line.ts';
import { readWorld } from './world.ts';

it("AWS's command line finds the credentials of a world whose folder has a space in its name", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a world-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'data', 'aws-credentials');
  const aws = { table_name: 'messages', dynamodb: 'http://127.0.0.1:1', sqs: 'http://127.0.0.1:2' };
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'world.json'), JSON.stringify({ aws }));
  await writeFile(file, '[local]\naws_access_key_id = id\naws_secret_access_key = secret\n');
  const { awsCommand } = await readWorld(folder, 'npm start');
  expect(shellWords(awsCommand)).toEqual([
    `AWS_SHARED_CREDENTIALS_FILE=${file}`,
    ...['aws', '--profile', 'local', '--region', 'us-east-1', '--endpoint-url', 'http://127.0.0.1:2'],
  ]);
});
