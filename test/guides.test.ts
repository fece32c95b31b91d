import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Received, startReceiver } from '#local/receiver.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startTestWorld } from '../support/worlds/world.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const world = forAllTests(() => startTestWorld());

/** A text of a page with the addresses of this world. */
const here = (text: string) =>
  text
    .replaceAll('http://localhost:3000', world.description.base_url)
    .replaceAll('http://localhost:3001', world.description.upstream_url);

const runInShell = async (commands: string) =>
  (await promisify(execFile)('sh', ['-ec', here(commands)], { cwd: root })).stdout;

describe('the README', () => {
  it('leads from a new Flow to its final response', async () => {
    const [story = ''] = /## The whole story[\s\S]+?(?=\n## )/.exec(readme) ?? [];
    const [receive, ...commands] = [...story.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, command = '']) => command);
    expect(receive).toBe('./messaging receive\n');
    expect(commands).toHaveLength(4);
    const { description } = world;
    const received: Received[] = [];
    const receiver = await startReceiver(description, String(description.numbers[0]?.id), (one) => received.push(one));
    await runInShell(commands.join(''));
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
});

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

/** The shell blocks of a page, each with the JSON of its response, if any follows. */
const blocksOf = (page: string) =>
  [...page.matchAll(/```sh\n((?:(?!```)[\s\S])+)```(?:\n\s*```json\n((?:(?!```)[\s\S])+)```)?/g)].map(
    ([, commands = '', response]) => ({ commands, response }),
  );

const sending = readFileSync(join(root, 'docs/sending.md'), 'utf8');
/** What the first block of the page sets is for all others. */
const [settings, ...sends] = blocksOf(sending);

it.each([
  ['README.md', blocksOf(readme).filter(({ response }) => response !== undefined), ''],
  ['docs/sending.md', sends, settings?.commands],
])('the commands of %s have the printed responses', async (_, blocks, before) => {
  expect(blocks.filter(({ response }) => response !== undefined).length).toBeGreaterThanOrEqual(3);
  for (const { commands, response } of blocks) {
    const printed = await runInShell(`${before}\n${commands}`);
    if (response === undefined) expect(printed, commands).toBe('');
    else expect(withoutVolatile(printed), commands).toEqual(withoutVolatile(here(response)));
  }
});
