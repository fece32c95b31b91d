import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Received, startReceiver } from '#local/receiver.ts';
import { startTestWorld, type TestWorld } from '../support/worlds/world.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** Each shell command that is followed by the JSON of its response. */
const examples = [...readme.matchAll(/```sh\n((?:(?!```)[\s\S])+)```\n\s*```json\n((?:(?!```)[\s\S])+)```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

/** What differs from run to run. */
const volatile = {
  id: 'string',
  wa_id: 'string',
  created_at: 'string',
  updated_at: 'string',
  expiration_time: 'number',
};

const withoutVolatile = (json: string) =>
  JSON.parse(json, (name, value) => (Reflect.get(volatile, name) === typeof value ? '…' : value));

describe('the commands of the README', () => {
  let world: TestWorld;
  beforeAll(async () => {
    world = await startTestWorld();
  });
  afterAll(() => world.close());

  it('include at least three with their output', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
  });

  it('lead from a new Flow to its final response', async () => {
    const [story = ''] = /## The whole story[\s\S]+?(?=\n## )/.exec(readme) ?? [];
    const [receive, ...commands] = [...story.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, command = '']) => command);
    expect(receive).toBe('npm run receive\n');
    expect(commands).toHaveLength(4);
    const { base_url, upstream_url, numbers } = world.description;
    const received: Received[] = [];
    const receiver = await startReceiver(world.description, String(numbers[0]?.id), (one) => received.push(one));
    const here = commands
      .join('')
      .replaceAll('http://localhost:3000', base_url)
      .replaceAll('http://localhost:3001', upstream_url);
    await promisify(execFile)('sh', ['-ec', here], { cwd: join(import.meta.dirname, '..') });
    const response_json = expect.stringContaining('"time":"dinner","guests":"2"');
    await expect
      .poll(() => received)
      .toContainEqual({
        verified: true,
        headers: { 'x-flow-id': expect.any(String), 'x-message-id': expect.any(String), 'x-contact': '5511988887777' },
        notification: expect.objectContaining({
          messages: [
            expect.objectContaining({
              interactive: expect.objectContaining({ nfm_reply: { name: 'flow', body: 'Sent', response_json } }),
            }),
          ],
        }),
      });
    await receiver.close();
  });

  it('the commands of the README have the printed output', async () => {
    const here = (text: string) => text.replaceAll('http://localhost:3000', world.description.base_url);
    for (const { command, answer } of examples) {
      const { stdout } = await promisify(execFile)('sh', ['-c', here(command)]);
      expect(withoutVolatile(stdout)).toEqual(withoutVolatile(here(answer)));
    }
  });

  it('use tokens and workspaces of the seeded world', () => {
    expect(readme).toContain(world.description.tokens.owner);
    expect(readme).toContain(world.description.workspaces[0]?.id);
  });
});

describe('the README', () => {
  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    expect(named.filter((name) => name !== undefined && !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path);
    for (const path of links)
      expect(() => readFileSync(join(import.meta.dirname, '..', path)), path).not.toThrow(/ENOENT/);
  });
});
