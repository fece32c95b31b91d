import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { PageValues } from '../../support/page-commands.ts';
import { credentialPrompts, expectOutputs, runInShell, startPageWorld } from '../../support/worlds/page-world.ts';
import {
  accessToken,
  appSecret,
  phoneNumberId,
  startTestUpstream,
  wabaId,
} from '../../support/worlds/simulated-graph.ts';

const [, laptop = ''] =
  /\n## On your laptop\n([\s\S]+?)\n## /.exec(
    readFileSync(join(import.meta.dirname, '../../docs/first-number.md'), 'utf8'),
  ) ?? [];

/** The address of the tunnel on the page. */
const publicUrl = 'https://example.trycloudflare.com';

let platform: Awaited<ReturnType<typeof startTestUpstream>>;
let page: Awaited<ReturnType<typeof startPageWorld>>;

/** A platform on which nothing is set up but what only people can do, and a world in front of it. */
beforeAll(async () => {
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
  page = await startPageWorld({ upstreamBaseUrl: platform.url, sweepSeconds: 1 });
  await forgetCredentials();
});
afterAll(async () => {
  await page.close();
  await platform.close();
});

/** A live world has no credentials until somebody enters some. */
async function forgetCredentials(): Promise<void> {
  const { description, administrator } = page.world;
  const { region, secrets_manager: endpoint, upstream_secret: SecretId } = description.aws;
  const client = secretsManager({ region, endpoint, credentials: administrator });
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: '{}' }));
  client.destroy();
}

const person = {
  input: JSON.stringify({ access_token: accessToken, app_secret: appSecret }),
  writeToNumber: () =>
    platform.control('POST', '/events', {
      events: [
        { type: 'text', phone_number_id: phoneNumberId, contact: { wa_id: '15550100999' }, text: { body: 'Hello' } },
      ],
    }),
};

async function run(command: string): Promise<string> {
  const { base_url } = page.world.description;
  const here = command.replaceAll('--live', '--local').replaceAll('http://localhost:3000', base_url);
  const printed = await runInShell(page.folder, here, person);
  return printed.replaceAll('--local', '--live').replaceAll(base_url, publicUrl);
}

describe('the page about the first number', () => {
  it('has commands that lead from an empty service to a connected number, with what they print', async () => {
    expect(await expectOutputs(laptop, new PageValues({}), run)).toBeGreaterThan(8);
  });

  it('shows what a person is asked for', () => {
    for (const prompt of credentialPrompts) expect(laptop).toContain(prompt);
  });
});
