import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestWorld, type TestWorld } from '../support/worlds/world.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/sending.md'), 'utf8');

/** The shell blocks of the page, each with the JSON that follows it, if any. */
const blocks = [...page.matchAll(/```sh\n([^`]+)```(?:\n\n```json\n([^`]+)```)?/g)].map(
  ([, commands = '', response]) => ({ commands, response }),
);
const [setup, ...examples] = blocks;

let world: TestWorld;
beforeAll(async () => {
  world = await startTestWorld();
});
afterAll(() => world.close());

const withoutIds = (json: string) =>
  JSON.parse(json, (name, value) => (name === 'id' && typeof value === 'string' ? '…' : value));

it('the commands of docs/sending.md work as printed', async () => {
  const { base_url, upstream_url } = world.description;
  const here = (text: string) =>
    text.replaceAll('http://localhost:3000', base_url).replaceAll('http://localhost:3001', upstream_url);
  expect(examples.filter(({ response }) => response !== undefined).length).toBeGreaterThanOrEqual(6);
  for (const { commands, response } of examples) {
    const { stdout } = await promisify(execFile)('sh', ['-c', here(`${setup?.commands}\n${commands}`)]);
    if (response === undefined) expect(stdout, commands).toBe('');
    else expect(withoutIds(stdout), commands).toEqual(withoutIds(response));
  }
});
