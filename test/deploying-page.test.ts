import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { accessToken, startTestUpstream, wabaId } from '../support/worlds/simulated-graph.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/deploying.md'), 'utf8');

/** The commands of the page that ask for a token and call Meta with it. */
const requests = [...page.matchAll(/read -rs META_TOKEN && curl .+/g)].map(([commands]) => commands);

it("the requests of docs/deploying.md unsubscribe the token's app from the account, and subscribe it again", async () => {
  const upstream = await startTestUpstream();
  try {
    const subscribed = [];
    for (const commands of requests) {
      const here = commands.replace('https://graph.facebook.com', upstream.url).replace('WABA_ID', wabaId);
      expect(await run(here, accessToken)).toBe('{"success":true}');
      subscribed.push((await upstream.graph('GET', `/${wabaId}/subscribed_apps`)).json.data.length);
    }
    expect(subscribed).toEqual([0, 1]);
  } finally {
    await upstream.close();
  }
});

/** Runs the commands in a shell at which somebody types the line. */
async function run(commands: string, line: string): Promise<string> {
  const ran = promisify(execFile)('bash', ['-c', commands]);
  ran.child.stdin?.end(`${line}\n`);
  return (await ran).stdout;
}
