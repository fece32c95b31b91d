import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readContextFiles } from './context-files.ts';

it('reads the files of the CDK in the order in which they count', () => {
  const [home, project] = [mkdtempSync(join(tmpdir(), 'home-')), mkdtempSync(join(tmpdir(), 'project-'))];
  const write = (folder: string, name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  write(home, '.cdk.json', { context: { stage: 'home', like: 'home', architecture: 'home' } });
  write(project, 'cdk.context.json', { stage: 'context', like: 'context' });
  write(project, 'cdk.json', { app: 'x', context: { stage: 'project' } });
  const { context, places, problems } = readContextFiles({}, home, project);
  for (const folder of [home, project]) rmSync(folder, { recursive: true });
  expect({ context, problems }).toEqual({
    context: { stage: 'project', like: 'context', architecture: 'home' },
    problems: [],
  });
  expect(places).toEqual({ stage: 'cdk.json', like: 'cdk.context.json', architecture: '~/.cdk.json' });
});
