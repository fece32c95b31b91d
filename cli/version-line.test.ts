import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseCommand } from '#support/command-line.ts';
import { versionLine } from './version-line.ts';

it('--version prints the version of the project and of Node, and the commit if it is known', async () => {
  const { help } = await parseCommand('--version');
  expect(help).toMatch(/^messaging-service \d+\.\d+\.\d+( \(commit [0-9a-f]{12}\))?, Node v\d+\.\d+\.\d+\n$/);
  expect(help).toContain(process.version);
  expect((await parseCommand('-V')).help).toBe(help);
});

it('the version leaves out the commit outside of a repository', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'version-'));
  expect(await versionLine(folder)).toMatch(/^messaging-service \d+\.\d+\.\d+, Node v/);
  await rm(folder, { recursive: true });
});
