import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueNames, valueTitles } from '#cli/credentials/values.ts';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { PageValues, pageCommands, withoutVolatile } from '../support/page-commands.ts';
import { accessToken, appSecret, phoneNumberId, startTestUpstream, wabaId } from '../support/worlds/simulated-graph.ts';
import { newDataDir, startTestWorld, type TestWorld } from '../support/worlds/world.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/first-number.md'), 'utf8');
const [, laptop = ''] = /\n## On your laptop\n([\s\S]+?)\n## /.exec(page) ?? [];

/** The address of the tunnel on the page. */
const publicUrl = 'https://example.trycloudflare.com';

let folder: string;
let platform: Awaited<ReturnType<typeof startTestUpstream>>;
let world: TestWorld;

/** A platform on which nothing is set up but what only people can do, and a world in front of it. */
beforeAll(async () => {
  folder = await newDataDir();
  platform = await startTestUpstream({
    accounts: [
      {
        waba_id: wabaId,
        name: 'Test WhatsApp Business Account',
        phone_numbers: [{ id: phoneNumberId, display_phone_number: '+1 555-078-3881' }],
      },
    ],
  });
  await platform.graph('DELETE', `/${wabaId}/subscribed_apps`);
  const dataDir = join(folder, 'data');
  world = await startTestWorld({ dataDir, upstreamBaseUrl: platform.url, sweepSeconds: 1 });
  await writeFile(join(folder, 'world.json'), JSON.stringify(world.description));
  await forgetCredentials();
  const { accessKeyId, secretAccessKey } = world.administrator;
  const lines = ['[local]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'aws-credentials'), lines.join('\n'));
});
afterAll(async () => {
  await world.close();
  await platform.close();
  await rm(folder, { recursive: true, force: true });
});

/** A live world has no credentials until somebody enters some. */
async function forgetCredentials(): Promise<void> {
  const { region, secrets_manager: endpoint, upstream_secret: SecretId } = world.description.aws;
  const client = secretsManager({ region, endpoint, credentials: world.administrator });
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: '{}' }));
  client.destroy();
}

/** Runs a command of the page, which is about a world in its default folder. When it asks for a message, somebody writes to the number. */
async function run(command: string): Promise<string> {
  const admin = `'${process.execPath}' '${join(root, 'cli/admin.ts')}'`;
  const here = command
    .replace(/^npm run (?:--silent )?admin --/, admin)
    .replaceAll('--live', '--local')
    .replace(/ connect \S+ --local$/, '$& --wait 300');
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env;
  const env = { NODE_COMPILE_CACHE, PATH, LOCAL_DATA_DIR: folder };
  const child = spawn('sh', ['-c', here], { env, cwd: root });
  let printed = '';
  let hasWritten = false;
  const hear = (data: Buffer) => {
    printed += data;
    if (hasWritten || !/^Send a WhatsApp message to/m.test(printed)) return;
    hasWritten = true;
    void writeToNumber();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.end(JSON.stringify({ access_token: accessToken, app_secret: appSecret }));
  await new Promise((resolve) => child.once('close', resolve));
  return printed
    .replaceAll(`LOCAL_DATA_DIR=${folder} `, '')
    .replaceAll('--local', '--live')
    .replaceAll(world.description.base_url, publicUrl);
}

const writeToNumber = () =>
  platform.control('POST', '/events', {
    events: [
      { type: 'text', phone_number_id: phoneNumberId, contact: { wa_id: '15550100999' }, text: { body: 'Hello' } },
    ],
  });

const prompts = valueNames.map((name) => `${valueTitles[name]} (is not shown; empty: leave it as it is):`);

/** Prompts are only for people. */
const withoutPrompts = (output: string) =>
  output
    .split('\n')
    .filter((line) => !prompts.includes(line))
    .join('\n');

describe('the page about the first number', () => {
  it('has commands that lead from an empty service to a connected number, with what they print', async () => {
    const commands = pageCommands(laptop).filter(({ command }) => /^(npm run (--silent )?admin|curl) /.test(command));
    expect(commands.length).toBeGreaterThan(8);
    const values = new PageValues({});
    for (const { command, output } of commands) {
      const printed = await run(values.here(command).replaceAll('http://localhost:3000', world.description.base_url));
      if (process.env.SHOW_PAGE) console.log(`@@\n$ ${command}\n##\n${printed}`);
      else expect(withoutVolatile(printed), command).toBe(withoutVolatile(withoutPrompts(output)));
      values.learn(withoutPrompts(output), printed);
    }
  });

  it('shows what a person is asked for', () => {
    for (const prompt of prompts) expect(laptop).toContain(prompt);
  });
});
