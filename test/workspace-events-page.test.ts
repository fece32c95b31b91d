import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { soon } from '../support/worlds/delivery-world.ts';
import { startTestWorld, type TestWorld } from '../support/worlds/world.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/workspace-events.md'), 'utf8');

/** The shell blocks of the page, each with the JSON that follows it, if any. */
const blocks = [...page.matchAll(/```sh\n([^`]+)```(?:\n\n```json\n([^`]+)```)?/g)].map(
  ([, commands = '', response]) => ({ commands, response }),
);
const [receiver, ...requests] = blocks;

let world: TestWorld;
beforeAll(async () => {
  world = await startTestWorld();
});
afterAll(() => world.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What differs from one run to the next. */
const withoutValues = (json: string) =>
  JSON.parse(json, (name, value) => {
    if (name === 'secret') return String(value).replace(/_.*/, '_…');
    return name === 'previous_valid_until' && typeof value === 'string' ? 'a time' : value;
  });

it('the commands of docs/workspace-events.md work as printed', async () => {
  const { base_url, upstream_url } = world.description;
  const port = await freePort();
  const here = (text: string) =>
    text
      .replaceAll(/\b3100\b/g, String(port))
      .replaceAll('http://localhost:3000', base_url)
      .replaceAll('http://localhost:3001', upstream_url);
  const receiving = spawn('sh', ['-c', `exec ${here(String(receiver?.commands))}`]);
  let printed = '';
  receiving.stdout.on('data', (data) => {
    printed += data;
  });
  try {
    let last = '';
    for (const { commands, response } of requests) {
      ({ stdout: last } = await promisify(execFile)('sh', ['-c', here(commands)]));
      if (response !== undefined) expect(withoutValues(last), commands).toEqual(withoutValues(here(response)));
    }
    expect(requests.map(({ response }) => response !== undefined)).toEqual([true, true, false]);
    await vi.waitFor(() => expect(printed).toMatch(/^{"field":"phone_number_quality_update","value":{.*}}$/m), soon);
    expect(last).toContain('"meta"');
  } finally {
    receiving.kill();
    await once(receiving, 'close');
  }
});
