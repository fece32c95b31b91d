import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildInto, builtFolders } from '#local/start/build.ts';
import { startWorld } from '#local/world.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';
import type { Judge, Tools } from './judge.ts';

/** An unmodified client of Meta's API, which sends, uploads, downloads and receives here. */
export const pywa: Judge = {
  name: 'pywa',
  async judge(tools) {
    const build = join(tools.temporary, 'build');
    await buildInto(build);
    const errors: Error[] = [];
    const world = await startWorld({
      ...worldDefaults,
      templateFile: join(builtFolders(build).assemblyDirectory, 'messaging-dev.template.json'),
      dataDir: join(tools.temporary, 'data'),
      environment: {},
      onLog: () => {},
      onError: (error) => errors.push(error),
    });
    try {
      const { done, faults } = await runClient(tools, await describe(world.description));
      return [
        {
          judge: 'pywa',
          version: tools.version('pywa'),
          tried: `${done.length} actions of a client`,
          faults: [...faults, ...errors.map(({ stack }) => String(stack))],
        },
      ];
    } finally {
      await world.close();
    }
  },
};

/** Creates a template for the client to find, and returns the client's settings. */
async function describe({ base_url, upstream_url, numbers, workspaces, tokens }: WorldDescription) {
  const [number] = numbers;
  const waba_id = String(workspaces[0]?.waba_id);
  const template = 'greeting_for_pywa';
  const created = await fetch(`${base_url}/v2/graph/${waba_id}/message_templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ name: template, language: 'en_US', category: 'UTILITY' },
      components: [{ type: 'BODY', text: 'Hello' }],
    }),
  });
  if (!created.ok) throw new Error(`The template was not created: ${await created.text()}`);
  return {
    ...{ base_url, waba_id, template, token: tokens.owner, simulator: `${upstream_url}/simulator` },
    ...{ number: number?.id, phone_number_id: number?.phone_number_id },
  };
}

async function runClient({ command }: Tools, world: object): Promise<{ done: string[]; faults: string[] }> {
  const script = join(import.meta.dirname, 'pywa_client.py');
  const client = spawn(command('python'), ['-W', 'ignore', script], { timeout: 300_000 });
  client.stdin.end(JSON.stringify(world));
  const [output, complaints, [code]] = await Promise.all([
    text(client.stdout),
    text(client.stderr),
    once(client, 'close'),
  ]);
  if (code !== 0) throw new Error(`The client ended with ${code}:\n${complaints.slice(-3000)}`);
  return JSON.parse(output);
}
