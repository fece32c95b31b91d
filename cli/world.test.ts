import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shellWords } from '#support/command-line.ts';
import { Rejection } from './terminal/errors.ts';
import { readWorld } from './world.ts';

/** A folder with this `world.json`. */
async function folderWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a world-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'world.json'), content);
  return folder;
}

it("AWS's command line finds the credentials of a world whose folder has a space in its name", async () => {
  const aws = { table_name: 'messages', dynamodb: 'http://127.0.0.1:1', sqs: 'http://127.0.0.1:2' };
  const folder = await folderWith(JSON.stringify({ aws }));
  const file = join(folder, 'data', 'aws-credentials');
  await mkdir(join(folder, 'data'));
  await writeFile(file, '[local]\naws_access_key_id = id\naws_secret_access_key = secret\n');
  const { awsCommand } = await readWorld(folder, 'npm start');
  expect(shellWords(awsCommand)).toEqual([
    `AWS_SHARED_CREDENTIALS_FILE=${file}`,
    ...['aws', '--profile', 'local', '--region', 'us-east-1', '--endpoint-url', 'http://127.0.0.1:2'],
  ]);
});

describe('a world whose files do not say what a command needs is a failure of one line', () => {
  async function complaint(content: string): Promise<string> {
    const error = await readWorld(await folderWith(content), 'npm start').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Rejection);
    const { message } = error as Rejection;
    expect(message).toMatch(/^[^\n]+$/);
    return message;
  }

  it.each(['{"aws":', '{}', '{"aws":{"dynamodb":7,"table_name":"x"}}'])('world.json is %s', async (content) => {
    expect(await complaint(content)).toContain('does not say where the table is');
  });

  it('there are no credentials', async () => {
    const world = { aws: { dynamodb: 'http://127.0.0.1:9', table_name: 'messages' } };
    expect(await complaint(JSON.stringify(world))).toMatch(/aws-credentials does not exist\..*npm start/);
  });
});
