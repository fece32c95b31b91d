import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shownWorld } from '#local/console/console-state.ts';
import { describeWorld } from '#local/world-description.ts';
import { type Call, curlOf } from './calls.ts';

const addresses = { base_url: 'http://localhost:3000', code_version: '', upstream_url: 'http://localhost:3001' };
const world = shownWorld(describeWorld({ ...addresses, aws: {} as never }), { workspaces: [], numbers: [] });

/** What a shell hands to curl. */
function argumentsOf(call: Call): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${curlOf(call, world)}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('a call in the terminal', () => {
  it('is a command that sends the body as it is, with quotes, dollars and line breaks', () => {
    const body = { text: `It's "$HOME" \`date\` \\ and\na line! ü` };
    expect(argumentsOf({ to: 'service', method: 'POST', path: '/v2/messages', body })).toEqual([
      '-s',
      'http://localhost:3000/v2/messages',
      '-H',
      `Authorization: Bearer ${world.tokens.owner}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(body),
    ]);
  });

  it('names the method unless it is POST, and gives the simulated platform no token', () => {
    const call = { to: 'simulator', method: 'PUT', path: '/simulator/population', body: { ids: 'both' } } as const;
    expect(argumentsOf(call)).toEqual([
      '-s',
      '-X',
      'PUT',
      'http://localhost:3001/simulator/population',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"ids":"both"}',
    ]);
  });
});
